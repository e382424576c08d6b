import { user } from '../../crm/user.ts'
import { resource } from '../../engine/records/define.ts'
import type { Change } from '../../engine/records/definition/change.ts'
import { byService, fixed, reference, required, unlogged } from '../../engine/records/kinds/fields.ts'
import { choice, names, pattern, text } from '../../engine/records/kinds/text-kinds.ts'
import { flag } from '../../engine/records/kinds/value-kinds.ts'
import { validationError } from '../../errors.ts'
import type { Writer } from '../../store/reader.ts'
import { columnForm, faultsOf, type SavedQuery, viewed } from './query.ts'

const filterMax = 2_000
const columnsMax = 50
/** `name=value` pairs, as in the query string of a list. */
const filterForm = /^[^=&]+=[^&]*(?:&[^=&]+=[^&]*)*$/
const sortForm = /^[-\w.:,][-\w.:, ]*$/

/** A saved query of a list (decision J7). */
export const view = resource('view', {
  path: 'api-v1-views',
  scope: 'all',
  counted: false,
  ownedBy: 'user_id',
  max: 100,
  fields: {
    name: required(text(), 'Name is required'),
    resource: fixed(
      required(
        choice(
          viewed.map(({ name }) => name),
          { grows: true },
        ),
        'Resource is required',
      ),
    ),
    description: text(),
    filter: pattern(filterForm, 'filters as in the query string of a list: status=open&value[gte]=1000', {
      max: filterMax,
      mayBeEmpty: true,
      examples: ['created_at[gte]=2026-01-01', 'updated_at[lt]=2030-01-01&filter[created_at][gt]=2026-02-01'],
    }),
    sort: pattern(sortForm, 'fields separated by commas: -created_at', {
      mayBeEmpty: true,
      examples: ['-created_at', 'updated_at:desc'],
    }),
    columns: names(columnForm, { max: columnsMax, examples: [['created_at'], ['updated_at', 'metadata.region']] }),
    layout: choice(['list', 'board'], { default: 'list' }),
    visibility: fixed(choice(['shared', 'personal'], { default: 'shared' })),
    user_id: byService(reference(user)),
    broken: unlogged(flag()),
  },
  filters: ['name', 'resource', 'layout', 'visibility', 'created_at', 'updated_at'],
  sorts: ['name', 'resource', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  beforeWrite,
  about: {
    summary:
      'A saved query of a list: `GET /api-v1-deals?view=<id>` applies it. A shared view is for everyone who may read its resource, a personal one only for the user who created it.',
    fields: {
      filter: 'Filters as in the query string of a list: `status=open&value[gte]=1000`.',
      sort: 'As in the parameter `sort` of a list.',
      columns:
        'The fields to show, in order: `title`, `contact_emails`, `metadata.region`. The list itself shows all fields.',
      layout: 'How a client shows it. Deals have a board.',
      visibility: '`personal` requires a personal key or a session.',
      user_id: 'The user of a personal view.',
      broken:
        'Whether its filter, sort or columns name something that no longer exists. Lists refuse it until it is changed.',
    },
    example: {
      name: 'Large deals',
      resource: 'deal',
      description: 'For the Monday meeting',
      filter: 'value[gte]=10000&currency=EUR',
      sort: '-value',
      columns: ['title', 'value', 'expected_close_date'],
    },
    shown: { user_id: null, broken: false },
    patch: { sort: 'expected_close_date,-value' },
  },
})

/** A view belongs to the user who creates it, if it is personal. Throws VALIDATION_ERROR if its query is not one of its resource. */
function beforeWrite({ tx, before, after }: Change): void {
  const faults = faultsOf(queryOf(after), tx)
  after.broken = 0
  if (!before) {
    const isPersonal = after.visibility === 'personal'
    after.user_id ??= isPersonal ? (lookupUser(tx) ?? null) : null // a seed file names the user
    const message = 'A personal view belongs to a user: use a personal key, or create a shared view'
    if (isPersonal !== (after.user_id !== null)) faults.push({ field: 'visibility', message, code: 'INVALID_VALUE' })
  }
  if (faults.length > 0) throw validationError(faults)
}

/** The query of a stored row. */
function queryOf({ resource, filter, sort, columns }: Change['after']): SavedQuery {
  return {
    resource: String(resource),
    filter: filter as string | null,
    sort: sort as string | null,
    columns: columns === null ? null : JSON.parse(String(columns)),
  }
}

/** The user whose session or personal key writes. */
function lookupUser(tx: Writer): string | null | undefined {
  const { type, id } = tx.origin.actor
  if (type === 'user') return id
  const sql = 'SELECT user_id FROM workspace_api_key WHERE workspace_id = :workspace AND id = ?'
  return type === 'api_key' ? tx.value<string | null>(sql, id) : undefined
}
