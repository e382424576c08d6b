import { resource } from '../engine/records/define.ts'
import { metadata, required, unlogged } from '../engine/records/kinds/fields.ts'
import { caselessText, choice, text } from '../engine/records/kinds/text-kinds.ts'
import { timestamp } from '../engine/records/kinds/value-kinds.ts'

export const lastActivityAbout =
  'When something last happened: the newest of its activities and completed tasks, at most a second behind. Records do not show it.'

/** spec: Organization */
export const organization = resource('organization', {
  path: 'api-v1-organizations',
  scope: 'organizations',
  fields: {
    name: required(text(), 'Name is required'),
    status: choice(['lead', 'active', 'inactive', 'lost'], { default: 'lead' }),
    organization_type: text(),
    address: text(),
    city: text(),
    state: text(),
    postal_code: text(),
    country: text(),
    domain: caselessText(),
    metadata: metadata(),
  },
  unshown: { last_activity_at: unlogged(timestamp()) },
  filters: [
    'name',
    'status',
    'organization_type',
    'city',
    'country',
    'domain',
    'last_activity_at',
    'created_at',
    'updated_at',
  ],
  sorts: ['name', 'status', 'last_activity_at', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  summary: ['id', 'name', 'status'],
  limit: 'max_organizations',
  tallied: ['status'],
  matchedBy: ['domain', 'name'],
  duplicates: [{ by: 'domain', shape: '*[^.].[^.]*' }, { by: 'name' }],
  search: { fields: ['name', 'domain', 'city'], exact: ['domain'], subtitle: ['domain', 'city'] },
  about: {
    summary: 'A company that you sell to.',
    fields: {
      status:
        '`lead`: not yet qualified; `active`: ongoing business; `inactive`: a former customer; `lost`: a lost opportunity.',
      organization_type: 'Free text: retail, wholesale, …',
      domain: 'The domain of its website.',
      last_activity_at: lastActivityAbout,
    },
    example: {
      name: 'Müller Feinkost',
      status: 'active',
      organization_type: 'retail',
      address: 'Viktualienmarkt 3',
      city: 'Munich',
      state: 'Bavaria',
      postal_code: '80331',
      country: 'Germany',
      domain: 'mueller.example',
      metadata: { source: 'trade fair' },
    },
    patch: { status: 'inactive' },
  },
})
