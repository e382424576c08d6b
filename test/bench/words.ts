import type { Random } from '../../src/commands/seed/random.ts'

// Enough words for a million records: a few very common ones, and thousands of rare ones to search for.

const firstNames =
  'Ada Amélie Anders Bianca Björn Camille Carlos Chiara Daniel Elena Emil Fatima Felix Freya Grace Hannah Henrik Ines Jakub James Jana Joana Jürgen Katarzyna Lars Laura Leon Lucía Maja Marco Marie Mateo Milan Nadia Niamh Oliver Olga Paul Petra Rosa Sofia Tomáš Yusuf Zoë'.split(
    ' ',
  )

const lastNames =
  'Andersson Bauer Bianchi Brown Byrne Castro Dubois Eriksen Fernández Fischer García Hansen Horváth Ivanova Jansen Kowalska Larsen Lefèvre Lehmann Lindgren Marino Meyer Moreau Murphy Nagy Novák Novotná Öztürk Papadakis Pereira Rossi Santos Schmidt Silva Smith Stewart Taylor Virtanen Weber Wright'.split(
    ' ',
  )

const jobTitles = [
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

const stems =
  'Adler Ahl Alten Auer Bach Berg Birk Blum Brand Brun Burg Dahl Eich Eisen Falk Feld Fels Fink Forst Frei Gold Grau Grün Hage Hart Heid Hirsch Hoch Holz Horn Kalt Kirch Klein Kron Lang Lehm Lind Löwen Mühl Neu Nord Ober Öst Rein Ried Ross Roth Sand Schön Schwarz See Sommer Stahl Stein Stern Strand Sund Tann Thal Über Vogel Wald Weid Wein Winter Wolf'.split(
    ' ',
  )
const familyEndings = 'mann er sen son ström gren baum bauer huber meier hofer ler inger lund quist dahl holm'.split(
  ' ',
)
const placeEndings = 'stadt dorf hausen heim ingen burg feld bach au brück furt see tal wil berg rode'.split(' ')
const branches =
  'Logistik Feinkost Maschinenbau Software Energie Druck Optik Möbel Textil Chemie Reisen Bau Papier Medien Technik Handel'.split(
    ' ',
  )
const departments =
  'Purchasing Sales Finance Operations Marketing Logistics Quality Legal Research Service Support Planning Facilities Security Training Export Import Claims Payroll Audit'.split(
    ' ',
  )
const ranks = ['Head of', 'Director of', 'Assistant,', 'Specialist,', 'Team Lead', 'Deputy Head of', 'Trainee,']

/** Usually one of the first few values, otherwise any of the others. */
export function skewed<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(from.length * random.next() ** 3)]!
}

export function firstName(random: Random): string {
  const name = skewed(random, firstNames)
  return random.chance(0.1) ? `${name}-${random.pick(firstNames)}` : name
}

export function lastName(random: Random): string {
  if (random.chance(0.3)) return skewed(random, lastNames)
  const name = random.pick(stems) + random.pick(familyEndings)
  return random.chance(0.2) ? `${name}-${random.pick(lastNames)}` : name
}

export function place(random: Random): string {
  return skewed(random, stems) + random.pick(placeEndings)
}

export function companyName(random: Random): string {
  return `${random.pick(stems)}${random.pick(familyEndings)} ${random.pick(branches)}${random.chance(0.3) ? ' GmbH' : ''}`
}

export function jobTitle(random: Random): string {
  return random.chance(0.5) ? skewed(random, jobTitles) : `${random.pick(ranks)} ${skewed(random, departments)}`
}

export function sentence(random: Random): string {
  return `${random.pick(departments)} with ${lastName(random)} in ${place(random)}`
}
