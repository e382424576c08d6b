import { fold } from '../lib/text.ts'

/** A heading with only its letters and digits: `E-mail 1 - Value` is `e mail 1 value`. */
export function simplified(heading: string): string {
  return fold(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const companies = [
  ...['company', 'company name', 'organization', 'organisation', 'organization name', 'account', 'account name'],
  ...['firma', 'firmenname', 'unternehmen'],
]

const person: Readonly<Record<string, readonly string[]>> = {
  first_name: ['firstname', 'given name', 'forename', 'vorname'],
  last_name: ['lastname', 'surname', 'family name', 'nachname', 'familienname', 'zuname'],
  full_name: [
    ...['name', 'full name', 'contact', 'contact name', 'vollstandiger name', 'ansprechpartner', 'kontakt'],
    ...['vorname name', 'vorname nachname', 'vor und nachname'],
    ...['first name last name', 'first and last name', 'display name'],
  ],
  'full_name:last_first': [
    ...['name vorname', 'nachname vorname', 'nach und vorname', 'familienname vorname', 'zuname vorname'],
    ...['last name first name', 'last first', 'last and first name', 'surname first name', 'family name given name'],
  ],
  job_title: ['jobtitle', 'title', 'position', 'role', 'funktion', 'berufsbezeichnung'],
  'organization.name': companies,
  'emails.email': [
    ...['email', 'e mail', 'mail', 'emails', 'email address', 'e mail address', 'e mail adresse', 'emailadresse'],
    ...['email adresse', 'primary email', 'secondary email', 'mailadresse', 'mail adresse', 'e mail 2 adresse'],
  ],
  'emails:work': ['work email', 'business email', 'e mail geschaftlich', 'e mail dienstlich'],
  'emails:personal': ['home email', 'personal email', 'private email', 'e mail privat', 'private e mail'],
  'phones.phone_number': [
    ...['phone', 'phones', 'phone number', 'telephone', 'telephone number', 'tel', 'telefon', 'telefonnummer'],
    ...['rufnummer', 'tel nr', 'tel no'],
  ],
  'phones:work': ['work phone', 'business phone', 'telefon geschaftlich', 'telefon dienstlich'],
  'phones:home': ['home phone', 'private phone', 'telefon privat'],
  'phones:mobile': [
    ...['mobile', 'mobile phone', 'mobile number', 'mobile phone number', 'cell', 'cell phone', 'handy', 'mobil'],
    ...['mobiltelefon', 'mobilnummer', 'handynummer', 'telefon mobil'],
  ],
  'phones:fax': [
    'fax',
    'fax number',
    'telefax',
    'faxnummer',
    'work fax',
    'business fax',
    'fax geschaftlich',
    'home fax',
  ],
  'phones:pager': ['pager', 'pager number'],
}

const organization: Readonly<Record<string, readonly string[]>> = {
  name: companies,
  organization_type: ['type', 'industry', 'typ', 'branche'],
  address: ['street', 'street address', 'address line', 'strasse', 'adresse', 'anschrift'],
  city: ['town', 'ort', 'stadt'],
  state: ['region', 'province', 'bundesland', 'kanton'],
  postal_code: ['zip', 'zip code', 'postcode', 'plz', 'postleitzahl'],
  country: ['land'],
  domain: ['website', 'web', 'url', 'webseite', 'homepage', 'internet'],
}

/** What deals, tasks and activities refer to. */
const references: Readonly<Record<string, readonly string[]>> = {
  'organization.name': companies,
  'contact.email': ['email', 'e mail', 'contact email', 'person email', 'e mail adresse'],
  'deal.title': ['deal', 'deal name', 'deal title', 'opportunity'],
  'assigned_user.email': ['assigned to', 'assignee', 'owner email', 'zugewiesen an', 'verantwortlich'],
}

const deal: Readonly<Record<string, readonly string[]>> = {
  'stage.name': ['stage', 'deal stage', 'phase', 'stufe', 'pipeline stage'],
  'pipeline.name': ['pipeline', 'deal pipeline'],
  title: ['name', 'deal', 'deal name', 'titel', 'bezeichnung'],
  value: ['amount', 'wert', 'betrag', 'summe'],
  currency: ['wahrung'],
  expected_close_date: ['close date', 'abschlussdatum'],
  probability: ['wahrscheinlichkeit'],
  ...references,
}

const task: Readonly<Record<string, readonly string[]>> = {
  title: ['name', 'task', 'titel', 'aufgabe', 'subject', 'betreff'],
  description: ['notes', 'beschreibung', 'notizen'],
  due_date: ['due', 'fallig', 'fallig am'],
  priority: ['prioritat'],
  ...references,
}

const activity: Readonly<Record<string, readonly string[]>> = {
  type: ['typ', 'art'],
  subject: ['betreff', 'title', 'titel'],
  description: ['notes', 'note', 'beschreibung', 'notiz', 'notizen'],
  ...references,
}

const product: Readonly<Record<string, readonly string[]>> = {
  name: ['product', 'product name', 'item', 'produkt', 'artikel', 'bezeichnung'],
  sku: ['product code', 'code', 'article number', 'item number', 'artikelnummer', 'artikel nr', 'art nr'],
  price: ['unit price', 'preis', 'einzelpreis', 'stuckpreis'],
  currency: ['wahrung'],
  unit: ['einheit'],
  is_active: ['active', 'aktiv'],
  description: ['product description', 'beschreibung'],
}

const lineItem: Readonly<Record<string, readonly string[]>> = {
  name: ['bezeichnung', 'beschreibung', 'description'],
  quantity: ['qty', 'menge', 'anzahl'],
  unit_price: ['price', 'preis', 'einzelpreis', 'stuckpreis'],
  discount_percent: ['discount', 'rabatt'],
  tax_percent: ['tax', 'tax rate', 'vat', 'mwst', 'ust', 'steuer', 'steuersatz'],
  'product.sku': ['sku', 'product code', 'article number', 'artikelnummer', 'artikel nr', 'art nr'],
  'product.name': ['product', 'product name', 'produkt', 'artikel'],
  'deal.title': references['deal.title']!,
}

/** The plain English and German headings of each resource, by path. */
export const headings: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ...{ contact: person, organization, deal, task, activity, product, line_item: lineItem },
}
