/** A company of the demo, and its people. The first one is the primary contact. */
export interface Company {
  name: string
  type: string
  industry: string
  street: string
  postalCode: string
  city: string
  state: string
  country: string
  /** With a digit for each `#`. In a range that is reserved for fiction, or with zeros that show that it is made up. */
  phone: string
  people: string[]
}

const table = `
Nordwind Logistik|logistics|Freight forwarding|Speicherweg 12|20457|Hamburg|Hamburg|Germany|+494066969###|Ute Harms, Jörg Petersen, Svenja Lühr
Alder & Finch|retail|Department stores|41 Larch Street|W1G 0AA|London|England|United Kingdom|+442079460###|Harriet Cole, James Okonkwo
Bergmann Maschinenbau|manufacturing|Machine tools|Fräserstraße 7|70435|Stuttgart|Baden-Württemberg|Germany|+497110000###|Jürgen Bergmann, Anna Lehmann, Deniz Öztürk, Sabine Vogt
Café Belleville|hospitality|Cafés and catering|18 rue des Glycines|75020|Paris|Île-de-France|France|+33199002###|Camille Lefèvre, Hugo Marchand, Inès Benali
Øresund Marine|wholesale|Boat equipment|Kajvej 23|2150|Copenhagen|Capital Region|Denmark|+4500033###|Freja Eriksen, Anders Holm, Mette Sørensen
Tagliaferri Foods|wholesale|Delicatessen|Via dei Fornai 9|20139|Milan|Lombardy|Italy|+39020000###|Chiara Tagliaferri, Marco Bianchi
Quintero Textiles|manufacturing|Clothing|Carrer del Teler 31|08019|Barcelona|Catalonia|Spain|+34930000###|Lucía Quintero, Jordi Serra, Carmen Ibáñez, Mateo Ruiz
Harbor Light Software|technology|Business software|5 Lantern Quay|D02 X285|Dublin|Leinster|Ireland|+353209101###|Niamh Byrne, Conor Walsh, Aoife Kelly
Müller Feinkost|retail|Delicatessen|Gärtnerweg 3|80469|Munich|Bavaria|Germany|+498999998###|Grete Müller, Paul Hofer, Milena Jović
Van Dijk Bloemen|wholesale|Flowers|Tulpenkade 14|1017|Amsterdam|North Holland|Netherlands|+31200000###|Sanne van Dijk, Bram Visser
Kowalski Meble|manufacturing|Furniture|ul. Stolarska 26|30-702|Kraków|Lesser Poland|Poland|+48120000###|Katarzyna Kowalska, Jakub Nowak, Łukasz Mazur, Zofia Król
Sørlandet Energi|energy|Hydropower|Fossegata 8|4612|Kristiansand|Agder|Norway|+4700038###|Ingrid Haugen, Lars Solberg, Øyvind Dahl
Pinheiro Cortiça|manufacturing|Cork products|Rua do Sobreiro 52|4100-455|Porto|Porto|Portugal|+351220000###|Joana Pinheiro, Tiago Santos, Beatriz Conceição
Lakeside Dental|healthcare|Dental clinics|Uferweg 19|8008|Zürich|Zürich|Switzerland|+414400000##|Regula Frei, Lukas Brunner
Havel Print Works|services|Printing|Tiskařská 11|108 00|Prague|Prague|Czechia|+420200000###|Jana Havlová, Tomáš Novák, Petra Dvořáková, Ondřej Beneš
Ateliers Dubois|services|Interior design|27 quai des Tisserands|69002|Lyon|Auvergne-Rhône-Alpes|France|+33465712###|Amélie Dubois, Rémi Garnier, Claire Fontaine
Greenfield Organics|retail|Organic food|88 Orchard Row|BS1 0AA|Bristol|England|United Kingdom|+441174960###|Grace Taylor, Owen Pritchard, Priya Nair
Tiszavirág Travel|services|Travel agencies|Kikötő utca 4|1095|Budapest|Budapest|Hungary|+3610000###|Eszter Horváth, Gergő Nagy
Saimaa Timber|manufacturing|Sawmills|Sahakatu 16|15140|Lahti|Päijät-Häme|Finland|+35830000###|Aino Virtanen, Mikko Lehtonen, Sari Mäkinen, Juha Koskinen
Olive Grove Imports|wholesale|Olive oil|Odos Elaion 33|117 42|Athens|Attica|Greece|+302100000###|Eleni Papadaki, Nikos Georgiou, Dimitra Ioannou
Brückner Optik|healthcare|Opticians|Linsenallee 6|01069|Dresden|Saxony|Germany|+493510000###|Katrin Brückner, Tobias Richter, Yusuf Demir
Copper Kettle Brewing|hospitality|Breweries|12 Maltings Close|EH6 0AA|Edinburgh|Scotland|United Kingdom|+441314960###|Fiona Stewart, Callum Reid
Lindqvist Arkitekter|services|Architecture|Ritningsgatan 21|411 04|Gothenburg|Västra Götaland|Sweden|+4631390060#|Elin Lindqvist, Björn Andersson, Maja Åkesson, Oskar Nyström
Moreau Parfums|retail|Perfume|64 avenue des Mimosas|06000|Nice|Provence-Alpes-Côte d’Azur|France|+33465718###|Élodie Moreau, Théo Blanchard, Nadia Cherif
Rheinland Solar|energy|Solar power|Sonnenring 45|50667|Cologne|North Rhine-Westphalia|Germany|+492214710###|Stefanie Krämer, Markus Weiß, Leyla Aydın
Castellani Ceramiche|manufacturing|Ceramics|Via della Fornace 28|40128|Bologna|Emilia-Romagna|Italy|+390510000###|Giulia Castellani, Davide Marino
Eastgate Robotics|technology|Industrial robots|Schakelstraat 2|5611|Eindhoven|North Brabant|Netherlands|+31400000###|Daan Jansen, Femke de Boer, Ravi Sharma, Lotte Smits
Galway Wool|manufacturing|Knitwear|3 Weavers Lane|H91 X2P4|Galway|Connacht|Ireland|+353209102###|Siobhán Murphy, Declan Joyce, Róisín Burke
Weiss & Partner Treuhand|services|Accounting|Laubengasse 38|3011|Bern|Bern|Switzerland|+413100000##|Urs Weiss, Nicole Zbinden, Andrea Lüthi
Dunaj Cycles|retail|Bicycles|Nábrežná 17|811 02|Bratislava|Bratislava|Slovakia|+421200000###|Martin Kováč, Zuzana Tóthová
Salon Luminance|services|Hairdressers|9 rue des Miroirs|1050|Brussels|Brussels|Belgium|+3220000###|Sophie Lambert, Joëlle Peeters, Karim Haddad, Anouk Claes
Fjellheim Hotels|hospitality|Hotels|Fjordveien 40|5014|Bergen|Vestland|Norway|+4700055###|Sigrid Fjellheim, Henrik Larsen, Kari Nilsen
Ibérica Vinos|wholesale|Wine|Calle de las Bodegas 13|41001|Seville|Andalusia|Spain|+34950000###|Rocío Fernández, Álvaro Castro, Pilar Núñez
Steinbach Apotheken|healthcare|Pharmacies|Heilgasse 22|1080|Vienna|Vienna|Austria|+431000####|Johanna Steinbach, Florian Gruber
Polaris Data|technology|Data centres|Põhja tänav 15|10415|Tallinn|Harju|Estonia|+3726000###|Liis Tamm, Rasmus Kask, Kadri Põder, Olga Ivanova
Amber Coast Fisheries|wholesale|Seafood|ul. Portowa 30|80-001|Gdańsk|Pomerania|Poland|+48580000###|Magdalena Wójcik, Paweł Zieliński, Ewa Sikora
Delacroix Conseil|services|Consulting|36 chemin du Lac|1201|Geneva|Geneva|Switzerland|+412200000##|Mathilde Delacroix, Sébastien Favre, Laure Meylan
Highland Instruments|technology|Measuring devices|7 Birchwood Park|IV1 0AA|Inverness|Scotland|United Kingdom|+441632960###|Ewan MacLeod, Isla Campbell
Zagreb Auto Parts|retail|Car parts|Radnička 54|10000|Zagreb|Zagreb|Croatia|+38510000###|Ivana Horvat, Luka Babić, Ana Marić, Domagoj Perić
Loom & Ladder|retail|Home furnishings|150 Spindle Street|M1 0AA|Manchester|England|United Kingdom|+441614960###|Zoë Wright, Samuel Adeyemi, Megan Holt
`

export const companies: readonly Company[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [name, type, industry, street, postalCode, city, state, country, phone, people] = line.split('|') as Cells
    return { name, type, industry, street, postalCode, city, state, country, phone, people: people.split(', ') }
  })

type Cells = [string, string, string, string, string, string, string, string, string, string]

/** Mobile numbers that are reserved for fiction. */
export const mobiles: Readonly<Record<string, string>> = {
  France: '+33639980###',
  Germany: '+4917139200##',
  Sweden: '+4670174061#',
  'United Kingdom': '+447700900###',
}

export const currencies: Readonly<Record<string, string>> = { Switzerland: 'CHF', 'United Kingdom': 'GBP' }

/** How many people work for a company. */
export const headcounts = ['1–9', '10–49', '50–249', '250–999'] as const

/** Who decides about gifts: the first list for primary contacts. */
export const jobTitles = {
  primary: [
    'Head of Purchasing',
    'Office Manager',
    'Managing Director',
    'HR Manager',
    'Marketing Manager',
    'Executive Assistant',
    'Head of People',
    'Operations Manager',
  ],
  other: [
    'Buyer',
    'Finance Director',
    'Sales Director',
    'Brand Manager',
    'Event Coordinator',
    'Warehouse Manager',
    'Accounts Payable',
    'Team Assistant',
    'Customer Service Lead',
    'Facilities Manager',
  ],
}
