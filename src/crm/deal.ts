import { resource } from '../engine/records/define.ts'
import type { Change, Row } from '../engine/records/definition/change.ts'
import type { Has } from '../engine/records/definition/options.ts'
import { decimal } from '../engine/records/kinds/decimal-kind.ts'
import { chosen, metadata, reference, required, unlogged } from '../engine/records/kinds/fields.ts'
import { text } from '../engine/records/kinds/text-kinds.ts'
import { date, number, timestamp } from '../engine/records/kinds/value-kinds.ts'
import { noteRow } from '../engine/records/rows/rows.ts'
import { ApiError, validationError } from '../errors.ts'
import type { SqlValue, Writer } from '../store/reader.ts'
import { contact } from './contact.ts'
import { currency } from './currency.ts'
import { verifyDeals } from './deal-check.ts'
import { hasItems, valuesAgain, willHaveItems } from './deal-items.ts'
import { ratesAt } from './exchange-rate.ts'
import { lastActivityAbout, organization } from './organization.ts'
import { lookupFirstStage, stage } from './stage.ts'
import { staleness } from './staleness.ts'
import { user } from './user.ts'

/** What follows the line items of a deal that has some. */
const following: readonly string[] = ['value', 'currency']

/** spec: Deal */
export const deal = resource('deal', {
  path: 'api-v1-deals',
  scope: 'deals',
  fields: {
    title: required(text(), 'Title is required'),
    value: number({ default: 0, digits: 'value_digits' }),
    currency: currency(),
    stage_id: chosen(reference(stage, { missing: 'Invalid stage' })),
    organization_id: reference(organization),
    contact_id: reference(contact),
    assigned_to: reference(user),
    expected_close_date: date(),
    probability: number({ min: 0, max: 100 }),
    metadata: metadata(),
  },
  through: { pipeline_id: { by: 'stage_id', field: 'pipeline_id' } },
  computed: { is_stale: staleness },
  entry: { by: 'stage_id', requires: 'requires', also: { people: { label: 'A person', has: hasPeople } } },
  unshown: {
    closed_at: timestamp(),
    last_activity_at: unlogged(timestamp()),
    entered_value: number(),
    entered_at: timestamp(),
    value_digits: decimal({ max: 1e15 }),
  },
  filters: [
    'title',
    'value',
    'currency',
    'stage_id',
    'organization_id',
    'contact_id',
    'assigned_to',
    'expected_close_date',
    'probability',
    'closed_at',
    'last_activity_at',
    'created_at',
    'updated_at',
  ],
  sorts: [
    'title',
    'value',
    'currency',
    'probability',
    'expected_close_date',
    'closed_at',
    'last_activity_at',
    'created_at',
    'updated_at',
  ],
  pageSize: { default: 50, max: 100 },
  relations: {
    organization: { target: organization, by: 'organization_id' },
    contact: { target: contact, by: 'contact_id' },
    stage: { target: stage, by: 'stage_id' },
    assigned_user: { target: user, by: 'assigned_to' },
  },
  links: {
    contacts: {
      table: 'deal_contact',
      owner: 'deal_id',
      target: contact,
      to: 'contact_id',
      text: 'role',
      first: 'contact_id',
      filter: 'people_id',
      max: 100,
    },
  },
  limit: 'max_deals',
  amounts: { value: { currency: 'currency', probability: 'probability' } },
  conversion: { of: 'value', rates: ratesAt },
  durations: { days_to_close: { from: 'created_at', to: 'closed_at' } },
  tallied: ['stage_id'],
  summary: ['id', 'title'],
  search: { fields: ['title'], subtitle: ['stage', 'organization'] },
  actions: [
    {
      path: 'stage',
      takes: 'stage_id',
      patch: requireStage,
      id: 'moveDeal',
      summary: 'Move a deal to another stage',
      shows: {},
    },
  ],
  beforeWrite,
  beforeRestore: beforeWrite, // an undo may return a deal to another stage than that in which it was deleted
  goesWith: { closed_at: 'stage_id', entered_at: 'stage_id' },
  afterUndo: valuesAgain,
  keptByUndo: (reader, id, planned) => (willHaveItems(reader, id, planned) ? following : []),
  verify: verifyDeals,
  events: {
    won: (change) => movesTo('won', change),
    lost: (change) => movesTo('lost', change),
    stage_changed: ({ before, after }) => before?.stage_id !== after.stage_id,
  },
  about: {
    summary: 'A sales opportunity in the pipeline.',
    fields: {
      value: 'Of a deal with line items: the exact sum of their totals. Another value is then 409.',
      currency: 'A code of three letters, stored in upper case. That of a deal with line items cannot change.',
      stage_id: 'The id of a stage. Default: the first stage of the default pipeline.',
      assigned_to: 'The id of an active user.',
      probability: 'The probability of winning it, in percent.',
      closed_at: 'When the deal entered a won or lost stage. Records do not show it.',
      last_activity_at: `${lastActivityAbout} Activities of the people on it count until it is closed.`,
    },
    conflicts: { patch: 'The deal has line items: its value follows them, and its currency cannot change.' },
    example: {
      title: 'Christmas hampers',
      value: 12_500,
      currency: 'EUR',
      expected_close_date: '2026-12-04',
      probability: 60,
    },
    patch: { value: 14_000, probability: 75 },
  },
})

function beforeWrite(change: Change): void {
  keepDerived(change)
  chooseStage(change)
  keepEntry(change)
  keepClosing(change)
}

/** The value of a deal with line items follows them, and its currency stays (decision T3). */
function keepDerived({ tx, id, before, after }: Change): void {
  if (before !== undefined && before.value !== after.value) after.value_digits = null
  const changed = following.filter((name) => before !== undefined && before[name] !== after[name])
  if (changed.length === 0) return
  if (!hasItems(tx, id)) forgetEntered(tx, id, before!)
  else if (changed[0] === 'value')
    throw new ApiError('CONFLICT', 'Value follows the line items of the deal: change them')
  else throw new ApiError('CONFLICT', 'Currency of a deal with line items cannot change: delete them first')
}

/** What was entered before the first line item no longer counts. Most deals have never had one. */
function forgetEntered(tx: Writer, id: string, { entered_value }: Row): void {
  if (entered_value !== null) noteRow(deal, tx, id, { entered_value: null })
}

/** A deal without a stage goes to the first one of the default pipeline (spec: Deal). */
function chooseStage({ tx, after }: Change): void {
  after.stage_id ??= lookupFirstStage(tx) ?? null
  if (after.stage_id !== null) return
  const message = 'There is no stage: create one first'
  throw validationError([{ field: 'stage_id', message, code: 'REQUIRED' }])
}

/** When a deal entered its stage (decision T5). A new deal of a seed file may have been created before. */
function keepEntry({ tx, before, after }: Change): void {
  if (before?.stage_id === after.stage_id) return
  after.entered_at = before ? tx.now : after.created_at!
}

/** Whether somebody who is not deleted is on a deal. */
function hasPeople(...[reader, { id, after, items }, planned]: Parameters<Has>): boolean {
  const stored = 'SELECT contact_id FROM deal_contact WHERE workspace_id = :workspace AND deal_id = ?'
  const others = items.contacts?.map((person) => person.id!) ?? reader.values<string>(stored, id)
  const people = [after.contact_id!, ...others]
  const undeleted = `SELECT id FROM contact
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`
  const there = new Set<SqlValue>(reader.values<string>(undeleted, JSON.stringify(people)))
  const isThere = (person: SqlValue) => {
    const row = planned.get(String(person))
    return row === undefined ? there.has(person) : row !== null
  }
  return people.some(isThere)
}

/** When a deal was won or lost: the time at which it entered a stage of that kind (decision K9). A new deal of a seed file brings `updated_at`. */
function keepClosing({ tx, before, after }: Change): void {
  if (before?.stage_id === after.stage_id) return
  const kind = kindOf(tx, after.stage_id!)
  const isSame = before !== undefined && before.closed_at !== null && kindOf(tx, before.stage_id!) === kind
  const now = before ? tx.now : after.updated_at!
  after.closed_at = kind === 'open' ? null : isSame ? before.closed_at! : now
}

function movesTo(kind: 'won' | 'lost', { tx, before, after }: Change): boolean {
  return before?.stage_id !== after.stage_id && kindOf(tx, after.stage_id!) === kind
}

function kindOf(tx: Writer, stageId: SqlValue): unknown {
  return tx.value('SELECT kind FROM stage WHERE workspace_id = :workspace AND id = ?', stageId)
}

/** `PATCH …/:id/stage` takes only a stage. */
function requireStage({ stage_id }: Record<string, unknown>): Record<string, unknown> {
  if (stage_id === undefined || stage_id === null) throw new ApiError('INVALID_REQUEST', 'stage_id is required')
  return { stage_id }
}
