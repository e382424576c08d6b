import { Building2, CalendarCheck, File, Folder, Handshake, Mail, MessagesSquare, Package, User, Webhook } from 'lucide'
import type { DescribedField } from '../../description.ts'
import { description, resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { about, t } from '../text/texts.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record as JSON; the description has its fields
export type Row = { id: string } & Record<string, any>

/** How the console shows a resource. `viewOf` derives it from the description, except for what `overrides` contains. */
interface View {
  icon: unknown
  /** The fields that make up a record's name. */
  name: readonly string[]
  /** The choice that is shown as a badge next to the name. */
  badge: string | undefined
  /** The columns of the list, by importance: the first is the name, narrow screens show the first two. A collection has the name of its array. */
  columns: readonly string[]
  /** What the list shows below the name: the first of these that has a value and no column. */
  second: readonly string[]
  filters: readonly string[]
  /** The fields of the form, in order. */
  form: readonly string[]
  /** The fields of the form that take a complete row. */
  wide: readonly string[]
  /** The text of the button that creates a record. */
  add: string
  /** The text that the list shows if there are no records. */
  empty: string
  /** The list's parameters that show all records. */
  all: Readonly<Record<string, string>>
  /** The list's parameters on the page of a record that they refer to. */
  related: Readonly<Record<string, string>>
  /** The records that a reference may lead to, as a filter. */
  referable: Readonly<Record<string, string>>
  /** The fields on the line under the title of a record. */
  line: readonly string[]
  /** The fields that name the record to which one belongs, the closest first: the line has those that are filled, or else the first. */
  belongsTo: readonly string[]
}

/** Everything that cannot be derived from a resource's definition. A new resource needs no entry. */
const overrides: Readonly<Record<string, Partial<View>>> = {
  organization: {
    icon: Building2,
    columns: ['name', 'status', 'city', 'country', 'domain', 'updated_at'],
    second: ['domain', 'address', 'city'],
    filters: ['status', 'organization_type', 'city', 'country', 'domain', 'created_at'],
    form: ['name', 'domain', 'organization_type', 'status', 'address', 'postal_code', 'city', 'state', 'country'],
    wide: ['name', 'address'],
    empty: t('Organizations are the companies you sell to. Add the first one, or import a list.'),
  },
  contact: {
    icon: User,
    name: ['first_name', 'last_name'],
    columns: ['first_name', 'organization_id', 'contact_phones', 'contact_emails', 'updated_at'],
    second: ['job_title', 'organization_id'],
    filters: ['organization_id', 'job_title', 'is_primary', 'created_at'],
    empty: t('Contacts are the people you talk to. Add the first one, or import a list.'),
  },
  deal: {
    icon: Handshake,
    columns: ['title', 'value', 'stage_id', 'organization_id', 'expected_close_date', 'assigned_to'],
    second: ['contact_id', 'organization_id'],
    filters: [
      'stage_id',
      'assigned_to',
      'organization_id',
      'contact_id',
      'expected_close_date',
      'closed_at',
      'created_at',
      'value',
      'currency',
      'probability',
    ],
    form: [
      'title',
      'organization_id',
      'contact_id',
      'value',
      'currency',
      'stage_id',
      'expected_close_date',
      'probability',
      'assigned_to',
    ],
    line: ['organization_id', 'expected_close_date', 'assigned_to'],
    empty: t('Deals are the sales you are working on. Add the first one, and move it through your pipeline.'),
  },
  task: {
    icon: CalendarCheck,
    columns: ['title', 'due_date', 'status', 'priority', 'assigned_to', 'organization_id'],
    second: ['deal_id', 'contact_id', 'organization_id'],
    filters: ['status', 'priority', 'assigned_to', 'organization_id', 'contact_id', 'deal_id', 'due_date'],
    form: [
      'title',
      'due_date',
      'priority',
      'status',
      'assigned_to',
      'organization_id',
      'contact_id',
      'deal_id',
      'description',
    ],
    line: ['due_date', 'assigned_to', 'priority'],
    belongsTo: ['deal_id', 'contact_id', 'organization_id'],
    all: { show: 'all' },
    related: { sort: 'status:asc,due_date:asc' },
    empty: t('Tasks are what to do next. Add the first one.'),
  },
  activity: {
    icon: MessagesSquare,
    name: ['subject'],
    badge: 'type',
    columns: ['subject', 'type', 'created_at', 'organization_id', 'contact_id', 'user_id'],
    second: ['deal_id', 'contact_id'],
    filters: ['type', 'user_id', 'organization_id', 'contact_id', 'deal_id', 'occurred_at', 'created_at'],
    add: t('Log activity'),
    empty: t('Calls, emails, meetings, notes and ratings appear here once they are logged on a record.'),
  },
  message: {
    icon: Mail,
    columns: ['subject', 'from', 'received_at', 'organization_id', 'deal_id', 'audience'],
    second: ['deal_id', 'organization_id'],
    line: ['deal_id', 'organization_id'],
    empty: t('Mails appear here once they arrive at an address of Kontor.'),
  },
  file: {
    icon: File,
    columns: ['name', 'bytes', 'deal_id', 'organization_id', 'contact_id', 'updated_at'],
    empty: t('Drop files on the page of a record, and they appear here.'),
  },
  product: { icon: Package },
  user: { referable: { is_active: 'true' } },
  webhook: { icon: Webhook, name: ['url'] },
}

const columnsMax = 6

const views = new Map<string, View>()

export function viewOf(of: string): View {
  const view = views.get(of) ?? { ...derive(of), ...overrides[of] }
  views.set(of, view)
  return view
}

/** The resources that have a list and record pages, in the order of the menu. */
export function listed(): string[] {
  return description.value!.resources.filter((each) => each.listed).map(({ name }) => name)
}

/** The resources whose records users create. */
export function creatable(): string[] {
  return listed().filter((of) => resourceOf(of).operations.includes('create'))
}

export function isListed(of: string): boolean {
  return resourceOf(of).listed
}

/** Whether a value of the field says something to people: not ids alone, such as that of a thread of mails. */
export function isTelling({ kind, target }: DescribedField): boolean {
  return kind !== 'ids' && (kind !== 'reference' || target !== undefined)
}

/** The name of a record. `row` may be a related record, which has only a few of its fields. */
export function titleOf(of: string, row: Row): string {
  const { name, badge } = viewOf(of)
  const names = name.map((each) => row[each]).filter(Boolean)
  if (names.length > 0) return names.join(' ')
  return badge && row[badge] ? word(row[badge]) : resourceOf(of).label
}

/** The name of the first related record that `row` has, of these resources. */
export function relatedTitle(row: Row, resources: readonly string[]): string | undefined {
  const of = resources.find((each) => row[each])
  return of && titleOf(of, row[of])
}

/** The fields on the line under the title of this record. */
export function keyFactsOf(of: string, row: Row): string[] {
  const { line, belongsTo } = viewOf(of)
  const filled = belongsTo.filter((name) => row[name] !== null)
  return [...line, ...(filled.length > 0 ? filled : belongsTo.slice(0, 1))]
}

/** The fields of a record's name that a list filters by. */
export function nameFields(of: string): string[] {
  const { filters } = resourceOf(of)
  return viewOf(of).name.filter((field) => filters.includes(field))
}

/** The `include` of a list: the relations of the resource, and the collections among its columns. */
export function includeOf(of: string, columns: readonly string[] = viewOf(of).columns): string {
  const { relations, collections } = resourceOf(of)
  const shown = Object.entries(collections).filter(([, { as }]) => columns.includes(as))
  return [...Object.values(relations), ...shown.map(([name]) => name)].join()
}

/** The field of a resource that refers to records of another one. */
export function referenceTo(target: string, of: string): string | undefined {
  return resourceOf(of).fields.find((field) => field.target === target)?.name
}

function derive(of: string): View {
  const { label, fields, filters, sorts, searched, operations } = resourceOf(of)
  const name = overrides[of]?.name ?? nameIn(fields)
  const writable = fields.filter((field) => !field.readonly && field.kind !== 'metadata')
  const form = [...writable.filter((field) => !field.long), ...writable.filter((field) => field.long)]
  const listable = fields.filter((field) => filters.includes(field.name) || sorts.includes(field.name))
  const hidden = ['updated_at', ...searched, ...fields.filter((field) => !isTelling(field)).map((field) => field.name)]
  const others = listable.filter((field) => !name.includes(field.name) && field.kind !== 'moment')
  const stamp = fields.filter((field) => field.name === 'updated_at').map((field) => field.name)
  return {
    icon: Folder,
    name,
    badge: fields.find((field) => field.name === 'status' && field.kind === 'choice')?.name,
    columns: [...name, ...withoutCurrency(others).map((field) => field.name)].slice(0, columnsMax - 1).concat(stamp),
    filters: filters.filter((name) => !hidden.includes(name)),
    form: form.map((field) => field.name),
    wide: [...(name.length === 1 ? name : []), ...form.filter((field) => field.long).map((field) => field.name)],
    add: about('New {noun}', label),
    empty: operations.includes('create') ? t('Add the first one.') : t('Nothing is here yet.'),
    all: {},
    related: {},
    referable: {},
    second: [],
    line: [],
    belongsTo: [],
  }
}

/** The first required text field, otherwise the first text field, otherwise the first required field. */
function nameIn(fields: readonly DescribedField[]): string[] {
  const texts = fields.filter((field) => field.kind === 'text')
  const name = texts.find((field) => field.required) ?? texts[0] ?? fields.find((field) => field.required)
  return name ? [name.name] : []
}

/** The fields without currencies, which are shown with their amounts. */
export function withoutCurrency(fields: readonly DescribedField[]): DescribedField[] {
  return fields.filter((field) => !fields.some((amount) => amount.currency === field.name))
}
