"""Creates the fonts of src/fonts from those of @fontsource. For each font that is named as an argument,
prints the figures by which a system's font takes the size of ours until ours have loaded
(src/styles/fonts.css).

    apt-get install fonttools python3-brotli      # or: pip install fonttools brotli
    npm install --no-save @fontsource/noto-serif@5.3.0
    python3 scripts/subset_fonts.py [a font of the machine, as .ttf or .woff2 …]

A subset contains Latin-1 and common punctuation, no hinting (for old screens), and the features that
browsers switch on by themselves. Browsers load other characters from @fontsource's own files.

The server draws share images with the fonts of src/fonts/cards: with all characters, uncompressed, and
with Noto Serif for names in scripts that our fonts do not have.
"""

import os
import sys

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TO = os.path.join(ROOT, "src/fonts")
FONTS = {
    "young-serif": "@fontsource/young-serif/files/young-serif-latin-400-normal.woff2",
    "instrument-sans": "@fontsource-variable/instrument-sans/files/"
    "instrument-sans-latin-wght-normal.woff2",
}
CARDS = os.path.join(TO, "cards")
CARD_FONTS = {
    "young-serif": ("@fontsource/young-serif", "latin latin-ext"),
    "instrument-sans": ("@fontsource-variable/instrument-sans", "latin latin-ext"),
    "noto-serif": ("@fontsource/noto-serif", "latin vietnamese cyrillic greek"),
}
CHARACTERS = "20-7E,A0-FF,131,152-153,2013-2014,2018-201A,201C-201E,2022,2026,2039-203A,20AC,2122,2212"
FEATURES = "calt ccmp clig kern liga locl mark mkmk rlig tnum".split()
# Text like that of artists' pages: its width is compared, so that common letters count more.
SAMPLE = """Available Designs Book Now About Email Me Tattoos by Ana Reyes at Harbour Street Tattoo.
A swallow for every five thousand miles at sea, with bold lines and a little colour. Good on the
forearm, the calf or the shoulder. Pick one and choose a time, or tell me of an idea of your own."""


def subset(name):
    """A font of one of the pages, with `CHARACTERS` only."""
    source = os.path.join(ROOT, "node_modules", FONTS[name])
    to = os.path.join(TO, name + ".woff2")
    save(TTFont(source), parse_unicodes(CHARACTERS), "woff2", to)
    print(f"{name}: {os.path.getsize(source)} -> {os.path.getsize(to)} bytes")


def unpack(name, package, part):
    """A file of a package as a font of one weight that any program reads."""
    folder = os.path.join(ROOT, "node_modules", package)
    ending = "wght-normal" if "variable" in package else "400-normal"
    font = TTFont(os.path.join(folder, "files", f"{name}-{part}-{ending}.woff2"))
    if "fvar" in font:
        font = instantiateVariableFont(font, {"wght": 500})
    to = os.path.join(CARDS, f"{name}-{part}.ttf")
    save(font, font.getBestCmap(), None, to)
    print(f"cards/{name}-{part}: {len(font.getBestCmap())} characters, {os.path.getsize(to)} bytes")


def save(font, characters, flavor, path):
    options = Options(
        hinting=False, layout_features=FEATURES, notdef_outline=True, name_IDs=[0, 1, 2, 13, 14],
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = flavor
    font.recalcTimestamp = False
    font.save(path)


def write_license():
    """All fonts have the same license; its text follows the copyright line of each font."""
    lines, texts = [], set()
    for package, _ in CARD_FONTS.values():
        with open(os.path.join(ROOT, "node_modules", package, "LICENSE")) as file:
            line, text = file.read().split("\n", 1)
        lines.append(line)
        texts.add(text)
    [text] = texts
    with open(os.path.join(TO, "LICENSE.txt"), "w") as file:
        file.write("\n".join(lines) + "\n" + text)


def sample_width(font):
    """The width of the sample, in ems."""
    characters, widths = font.getBestCmap(), font["hmtx"]
    units = sum(widths[characters[ord(one)]][0] for one in " ".join(SAMPLE.split()))
    return units / font["head"].unitsPerEm


def print_figures(label, ours, theirs):
    """Prints the figures of `@font-face` by which `theirs` takes the size of `ours`."""
    scale = sample_width(ours) / sample_width(theirs)
    em = ours["head"].unitsPerEm * scale
    ascent, descent = ours["hhea"].ascent / em, -ours["hhea"].descent / em
    print(f"  {label}: size {scale:.2%}, ascent {ascent:.2%}, descent {descent:.2%}, gap 0%")


for name in FONTS:
    subset(name)
os.makedirs(CARDS, exist_ok=True)
for name, (package, parts) in CARD_FONTS.items():
    for part in parts.split():
        unpack(name, package, part)
write_license()
for path in sys.argv[1:]:
    print(os.path.basename(path))
    print_figures("for Young Serif", TTFont(f"{TO}/young-serif.woff2"), TTFont(path))
    for weight in (400, 600):
        sans = instantiateVariableFont(TTFont(f"{TO}/instrument-sans.woff2"), {"wght": weight})
        print_figures(f"for Instrument Sans at {weight}", sans, TTFont(path))
