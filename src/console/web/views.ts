import { Building2, CalendarCheck, Handshake, MessagesSquare, User } from 'lucide'

// biome-ignore lint/suspicious/noExplicitAny: a record as JSON; what is in it, the description says
export type Row = { id: string } & Record<string, any>

/** How the console shows a resource; what its fields are, the description says. */
interface View {
  plural: string
  page: string
  icon: unknown
  /** What a record is called. */
  title(row: Row): string
  /** The fields that the title says. */
  named: string[]
  /** Of the list, by importance: the first is the title, narrow screens show the first two. */
  columns: string[]
  include?: string
  /** In which fields the search box looks, those that name the record first. */
  search: string[]
  filters: string[]
  /** Of the form, in order; what takes the whole width is in `wide`. */
  form: string[]
  wide: string[]
  /** What shows on the record's page, by the field there that refers to it. */
  related: Record<string, string>
  /** Where there are none yet. */
  empty: string
}

const contactName = ({ first_name, last_name }: Row) => [first_name, last_name].filter(Boolean).join(' ')

export const views: Record<string, View> = {
  organization: {
    plural: 'Organizations',
    page: '/organizations',
    icon: Building2,
    title: ({ name }) => name,
    named: ['name', 'status'],
    columns: ['name', 'status', 'city', 'country', 'domain', 'updated_at'],
    search: ['name', 'city', 'domain'],
    filters: ['status', 'country', 'organization_type', 'created_at'],
    form: ['name', 'status', 'organization_type', 'domain', 'address', 'postal_code', 'city', 'state', 'country'],
    wide: ['name', 'address'],
    related: { contact: 'organization_id', deal: 'organization_id', task: 'organization_id' },
    empty: 'Organizations are the companies you sell to. Add the first one, or import a list.',
  },
  contact: {
    plural: 'Contacts',
    page: '/contacts',
    icon: User,
    title: contactName,
    named: ['first_name', 'last_name'],
    columns: ['first_name', 'organization_id', 'contact_emails', 'job_title', 'updated_at'],
    include: 'organization,emails',
    search: ['last_name', 'first_name', 'email', 'phone', 'job_title'],
    filters: ['organization_id', 'is_primary', 'created_at'],
    form: ['first_name', 'last_name', 'job_title', 'organization_id', 'is_primary', 'consent_to_record'],
    wide: [],
    related: { deal: 'contact_id', task: 'contact_id' },
    empty: 'Contacts are the people you talk to. Add the first one, or import a list.',
  },
  deal: {
    plural: 'Deals',
    page: '/deals',
    icon: Handshake,
    title: ({ title }) => title,
    named: ['title'],
    columns: ['title', 'value', 'stage_id', 'organization_id', 'expected_close_date', 'assigned_to'],
    include: 'organization,stage,assigned_user',
    search: ['title'],
    filters: ['stage_id', 'organization_id', 'assigned_to', 'expected_close_date', 'created_at'],
    form: [
      ...['title', 'value', 'currency', 'stage_id', 'probability', 'expected_close_date', 'organization_id'],
      ...['contact_id', 'assigned_to'],
    ],
    wide: ['title'],
    related: { task: 'deal_id' },
    empty: 'Deals are the sales you are working on. Add the first one, and move it through your pipeline.',
  },
  task: {
    plural: 'Tasks',
    page: '/tasks',
    icon: CalendarCheck,
    title: ({ title }) => title,
    named: ['title', 'status'],
    columns: ['title', 'due_date', 'status', 'priority', 'assigned_to', 'organization_id'],
    include: 'organization,contact,deal,assigned_user',
    search: ['title'],
    filters: ['status', 'priority', 'assigned_to', 'organization_id', 'due_date'],
    form: [
      ...['title', 'due_date', 'priority', 'status', 'assigned_to', 'organization_id', 'contact_id', 'deal_id'],
      'description',
    ],
    wide: ['title', 'description'],
    related: {},
    empty: 'Tasks are what to do next. Add the first one.',
  },
  activity: {
    plural: 'Activities',
    page: '/activities',
    icon: MessagesSquare,
    title: ({ type, subject }) => subject ?? typeNames[type] ?? type,
    named: ['subject', 'type'],
    columns: ['subject', 'type', 'created_at', 'organization_id', 'contact_id', 'user_id'],
    include: 'organization,contact,deal,user',
    search: ['subject'],
    filters: ['type', 'organization_id', 'user_id', 'created_at'],
    form: ['type', 'subject', 'organization_id', 'contact_id', 'deal_id', 'description'],
    wide: ['subject', 'description'],
    related: {},
    empty: 'Calls, emails, meetings, notes and ratings show here once they are logged on a record.',
  },
}

const typeNames: Record<string, string> = {
  call: 'Call',
  email: 'Email',
  meeting: 'Meeting',
  note: 'Note',
  rating: 'Rating',
}

/** What a related object of an answer is called: organizations, contacts, deals and users each have their own name field. */
export function nameOf(related: Row): string {
  return related.name ?? related.title ?? related.full_name ?? contactName(related)
}

/** The fields that a search for a record by its name looks in. */
export const nameFields: Record<string, [string, ...string[]]> = {
  organization: ['name'],
  contact: ['last_name', 'first_name'],
  deal: ['title'],
  user: ['full_name'],
  stage: ['name'],
}
