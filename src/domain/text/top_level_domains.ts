/**
 * Endings of domains that strangers can register, for `link_text.ts`; those in scripts that have capital letters,
 * such as Latin and Cyrillic. Endings of two letters are not listed because all of them count; brands are not
 * because many are surnames.
 */
export const OPEN_TOP_LEVEL_DOMAINS = `
academy accountant accountants actor adult aero africa agency airforce alsace amsterdam
apartments app archi army art asia associates attorney auction audio author auto autos baby band
bank bar barcelona bargains baseball basketball bayern beauty beer berlin best bet bible bid
bike bingo bio biz black blackfriday blog blue boats bond boo book boston bot boutique box
broadway broker brussels budapest build builders business buy buzz bzh cab cafe call cam camera
camp capetown capital car cards care career careers cars casa case cash casino cat catering
catholic center ceo cfd channel charity chat cheap christmas church circle city claims cleaning
click clinic clothing cloud club coach codes coffee college cologne com community company
compare computer condos construction consulting contact contractors cooking cool coop corsica
country coupon coupons courses cpa credit creditcard creditunion cricket cruise cruises cymru
cyou dad dance data date dating day dds deal deals degree delivery democrat dental dentist desi
design dev diamonds diet digital direct directory discount diy doctor dog domains download
durban earth eat eco edu education email energy engineer engineering enterprises equipment esq
estate eus events exchange expert exposed express fail faith family fan fans farm fashion
feedback film final finance financial fish fishing fit fitness flights florist flowers fly foo
food football forex forsale forum foundation free frl fun fund furniture futbol fyi gal gallery
game games garden gay gent gift gifts gives giving glass global gmbh gold golf gop gov graphics
gratis green gripe grocery group guide guitars guru hair hamburg hangout haus health healthcare
help helsinki here hiphop hiv hockey holdings holiday homes horse hospital host hosting hot
hotel hotels house how ice icu imamat immo immobilien inc industries info ing ink institute
insurance insure int international investments irish ist istanbul jetzt jewelry jobs joburg joy
juegos kaufen kid kids kim kitchen kiwi koeln krd kyoto land lat latino law lawyer lease legal
lgbt life lifeinsurance lifestyle lighting like limited limo link live living llc llp loan loans
locker locus lol london lotto love ltd ltda luxe luxury madrid maison makeup man management map
market marketing markets mba med media meet melbourne meme memorial men menu miami mil mini mint
mls mma mobi mobile moda moe moi mom money monster mormon mortgage moscow moto motorcycles mov
movie museum music nagoya name navy net network new news next ngo ninja now nowruz nrw nyc
observer off okinawa one ong onl online ooo open org organic origins osaka ott ovh page paris
partners parts party pay persiangulf pet pharmacy phd phone photo photography photos physio pics
pictures pid pin ping pink pizza place play plumbing plus poker porn post press prime pro prod
productions prof promo properties property protection pub qpon quebec quest racing radio read
realestate realtor realty recipes red rehab reise reisen reit ren rent rentals repair report
republican rest restaurant review reviews rich rio rip rocks rodeo room rsvp rugby ruhr run
ryukyu saarland safe safety sale salon sarl sas save scholarships school schule science scot
search secure security select services sex sexy shia shiksha shoes shop shopping show silk
singles site ski skin sky smile soccer social software solar solutions song soy spa space sport
spot srl stockholm storage store stream studio study style sucks supplies supply support surf
surgery swiss sydney systems taipei talk tatar tattoo tax taxi team tech technology tel tennis
theater theatre tickets tienda tips tires tirol today tokyo tools top tours town toys trade
trading training translations travel trust tube tunes university uno vacations vegas ventures
versicherung vet viajes video villas vin vip vision vlaanderen vodka vote voting voto voyage
wales wang watch watches weather web webcam website wed wedding wien wiki win wine winners work
works world wow wtc wtf xin xxx xyz yachts yoga yokohama you zero zip zone zuerich
москва онлайн сайт орг дети ком рус католик бел мкд мон срб укр қаз հայ
`;
