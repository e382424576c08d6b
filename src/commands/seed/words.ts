import type { Role } from '../../access/role.ts'

/** The users of the demo. */
export const colleagues: readonly { fullName: string; email: string; role: Role }[] = [
  { fullName: 'Ada Brandt', email: 'ada@sandbox.example', role: 'owner' },
  { fullName: 'Jonas Weber', email: 'jonas@sandbox.example', role: 'admin' },
  { fullName: 'Mina Okafor', email: 'mina@sandbox.example', role: 'member' },
]

/** The parts of the demo records. */

export const companies: readonly [name: string, type: string, city: string][] = [
  ['Nordwind Logistik', 'logistics', 'Hamburg'],
  ['Alder & Finch', 'retail', 'London'],
  ['Bergmann Maschinenbau', 'manufacturing', 'Stuttgart'],
  ['Café Belleville', 'hospitality', 'Paris'],
  ['Øresund Marine', 'wholesale', 'Copenhagen'],
  ['Tagliaferri Foods', 'wholesale', 'Milan'],
  ['Quintero Textiles', 'manufacturing', 'Barcelona'],
  ['Harbor Light Software', 'technology', 'Dublin'],
  ['Müller Feinkost', 'retail', 'Munich'],
  ['Van Dijk Bloemen', 'wholesale', 'Amsterdam'],
  ['Kowalski Meble', 'manufacturing', 'Kraków'],
  ['Sørlandet Energi', 'energy', 'Kristiansand'],
  ['Pinheiro Cortiça', 'manufacturing', 'Porto'],
  ['Lakeside Dental', 'healthcare', 'Zürich'],
  ['Havel Print Works', 'services', 'Prague'],
  ['Ateliers Dubois', 'services', 'Lyon'],
  ['Greenfield Organics', 'retail', 'Bristol'],
  ['Tiszavirág Travel', 'services', 'Budapest'],
  ['Saimaa Timber', 'manufacturing', 'Lahti'],
  ['Olive Grove Imports', 'wholesale', 'Athens'],
  ['Brückner Optik', 'healthcare', 'Dresden'],
  ['Copper Kettle Brewing', 'hospitality', 'Edinburgh'],
  ['Lindqvist Arkitekter', 'services', 'Gothenburg'],
  ['Moreau Parfums', 'retail', 'Nice'],
  ['Rheinland Solar', 'energy', 'Cologne'],
  ['Castellani Ceramiche', 'manufacturing', 'Bologna'],
  ['Eastgate Robotics', 'technology', 'Eindhoven'],
  ['Galway Wool', 'manufacturing', 'Galway'],
  ['Weiss & Partner Treuhand', 'services', 'Bern'],
  ['Dunaj Cycles', 'retail', 'Bratislava'],
  ['Salon Luminance', 'services', 'Brussels'],
  ['Fjellheim Hotels', 'hospitality', 'Bergen'],
  ['Ibérica Vinos', 'wholesale', 'Seville'],
  ['Steinbach Apotheken', 'healthcare', 'Vienna'],
  ['Polaris Data', 'technology', 'Tallinn'],
  ['Amber Coast Fisheries', 'wholesale', 'Gdańsk'],
  ['Delacroix Conseil', 'services', 'Geneva'],
  ['Highland Instruments', 'technology', 'Inverness'],
  ['Zagreb Auto Parts', 'retail', 'Zagreb'],
  ['Loom & Ladder', 'retail', 'Manchester'],
]

export const countries: Readonly<Record<string, string>> = {
  Amsterdam: 'Netherlands',
  Athens: 'Greece',
  Barcelona: 'Spain',
  Bergen: 'Norway',
  Bern: 'Switzerland',
  Bologna: 'Italy',
  Bratislava: 'Slovakia',
  Bristol: 'United Kingdom',
  Brussels: 'Belgium',
  Budapest: 'Hungary',
  Cologne: 'Germany',
  Copenhagen: 'Denmark',
  Dresden: 'Germany',
  Dublin: 'Ireland',
  Edinburgh: 'United Kingdom',
  Eindhoven: 'Netherlands',
  Galway: 'Ireland',
  Gdańsk: 'Poland',
  Geneva: 'Switzerland',
  Gothenburg: 'Sweden',
  Hamburg: 'Germany',
  Inverness: 'United Kingdom',
  Kraków: 'Poland',
  Kristiansand: 'Norway',
  Lahti: 'Finland',
  London: 'United Kingdom',
  Lyon: 'France',
  Manchester: 'United Kingdom',
  Milan: 'Italy',
  Munich: 'Germany',
  Nice: 'France',
  Paris: 'France',
  Porto: 'Portugal',
  Prague: 'Czechia',
  Seville: 'Spain',
  Stuttgart: 'Germany',
  Tallinn: 'Estonia',
  Vienna: 'Austria',
  Zagreb: 'Croatia',
  Zürich: 'Switzerland',
}

export const firstNames =
  'Ada Amélie Anders Bianca Björn Camille Carlos Chiara Daniel Elena Emil Fatima Felix Freya Grace Hannah Henrik Ines Jakub James Jana Joana Jürgen Katarzyna Lars Laura Leon Lucía Maja Marco Marie Mateo Milan Nadia Niamh Oliver Olga Paul Petra Rosa Sofia Tomáš Yusuf Zoë'.split(
    ' ',
  )

export const lastNames =
  'Andersson Bauer Bianchi Brown Byrne Castro Dubois Eriksen Fernández Fischer García Hansen Horváth Ivanova Jansen Kowalska Larsen Lefèvre Lehmann Lindgren Marino Meyer Moreau Murphy Nagy Novák Novotná Öztürk Papadakis Pereira Rossi Santos Schmidt Silva Smith Stewart Taylor Virtanen Weber Wright'.split(
    ' ',
  )

export const jobTitles = [
  'Head of Purchasing',
  'Managing Director',
  'Operations Manager',
  'Sales Manager',
  'Office Manager',
  'Finance Director',
  'Marketing Lead',
  'Buyer',
  'IT Manager',
  'Owner',
]

export const streets = ['Station Road', 'Market Street', 'Harbour Lane', 'Mill Road', 'Church Street', 'Garden Avenue']
