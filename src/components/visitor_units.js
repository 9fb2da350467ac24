((locale) => {
  const build = (options) => new Intl.NumberFormat(locale, options);
  const inInches = /^en$|-(US|LR|MM)\b/.test(locale);
  const toSize = (sides) => {
    const { format } = build({ maximumFractionDigits: 1 });
    const all = sides.map((mm) => format(mm / (inInches ? 25.4 : 10)));
    return `${all.join(' × ')} ${inInches ? 'in' : 'cm'}`;
  };
  const toPrice = (amounts, currency) => {
    const isWhole = amounts.every((one) => !(one % 1));
    const digits = isWhole ? 0 : amounts[0].split('.')[1].length;
    const format = build({ style: 'currency', currency, minimumFractionDigits: digits });
    return amounts[1] ? format.formatRange(...amounts) : format.format(amounts[0]);
  };
  try {
    for (const element of document.querySelectorAll('data[data-unit]')) {
      const { unit } = element.dataset;
      const values = element.value.split(' ');
      element.textContent = unit === 'mm' ? toSize(values) : toPrice(values, unit);
    }
  } catch {}
})(navigator.language);
