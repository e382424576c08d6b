import assert from 'node:assert/strict'
import { unpackUuid } from '../../src/lib/uuid.ts'
import type { Store } from '../../src/store/store.ts'
import { type MessageState, seesMessage, type Viewer } from '../../src/store/visibility.ts'
import { safely, uuids } from './judge.ts'
import { secretWords } from './mail.ts'
import type { Tenant } from './tenant.ts'
import type { Reply, Shot } from './wire.ts'

interface StoredState extends MessageState {
  id: string
  subject: string | null
}

/** What decided who sees a message, from some moment on. */
interface Moment {
  since: number
  state: MessageState
}

interface Logged {
  record_id: Uint8Array
  previous: string
  data: string
}

/** The states of a message before and after each change. */
function betweenOf(changes: readonly Logged[], now: MessageState): MessageState[] {
  return changes.flatMap(({ previous, data }) => {
    const former = JSON.parse(previous)
    const after = { ...JSON.parse(data), held_for: now.held_for }
    return [{ ...after, ...former, held_for: former.unshown?.held_for ?? now.held_for }, after]
  })
}

/** Who may see each message of a workspace, and when. */
class Workspace {
  readonly #store: Store
  readonly #id: number
  readonly #moments = new Map<string, Moment[]>()
  /** The messages that an id or a word belongs to. */
  readonly #owners = new Map<string, string>()
  #seq = 0

  constructor(store: Store, id: number) {
    this.#store = store
    this.#id = id
  }

  /** Reads what has happened. `now` is later than every earlier one. */
  read(now: number): void {
    const reader = this.#store.workspace(this.#id)
    const changes = this.#readLog()
    if (!changes) return
    const all = `SELECT id, subject, audience, status, json(user_ids) AS user_ids, held_for FROM main.message
      WHERE workspace_id = :workspace`
    const stored = reader.rows<Omit<StoredState, 'user_ids'> & { user_ids: string }>(all)
    for (const { user_ids, ...row } of stored) {
      const state = { ...row, user_ids: JSON.parse(user_ids) }
      for (const word of row.subject?.match(secretWords) ?? []) this.#owners.set(word, row.id)
      this.#owners.set(row.id, row.id)
      for (const between of betweenOf(changes.get(row.id) ?? [], state)) this.#note(row.id, between, now)
      this.#note(row.id, state, now)
    }
    const files = 'SELECT id, message_id FROM main.file WHERE workspace_id = :workspace AND message_id IS NOT NULL'
    for (const { id, message_id } of reader.rows<{ id: string; message_id: string }>(files)) {
      this.#owners.set(id, message_id)
    }
  }

  /** The changes of who sees each message since the log was last read; undefined: nothing has changed. */
  #readLog(): Map<string, Logged[]> | undefined {
    const reader = this.#store.workspace(this.#id)
    const latest = reader.value<number>('SELECT max(seq) FROM change WHERE workspace_id = :workspace') ?? 0
    if (latest === this.#seq) return undefined
    const sql = `SELECT record_id, previous, data FROM change WHERE workspace_id = :workspace AND seq > ?
      AND previous IS NOT NULL AND data ->> 'audience' IS NOT NULL ORDER BY seq`
    const rows = reader.rows<Logged>(sql, this.#seq)
    this.#seq = latest
    return Map.groupBy(rows, ({ record_id }) => unpackUuid(record_id))
  }

  #note(id: string, state: MessageState, since: number): void {
    const moments = this.#moments.get(id) ?? []
    this.#moments.set(id, moments)
    const last = moments.at(-1)?.state
    if (JSON.stringify(last) !== JSON.stringify(state)) moments.push({ since, state })
  }

  /** The message that an id or a word belongs to, if the viewer could not see it at any moment since then. */
  hides(found: string, viewer: Viewer, since: number): string | undefined {
    const id = this.#owners.get(found)
    const moments = id === undefined ? [] : this.#moments.get(id)!
    const valid = moments.filter((_, at) => (moments[at + 1]?.since ?? Number.POSITIVE_INFINITY) > since)
    return valid.some(({ state }) => seesMessage(state, viewer)) ? undefined : id
  }
}

/** What the fuzzer knows of messages that not everybody may see. */
export class Secrets {
  readonly #workspaces = new Map<Tenant, Workspace>()
  #now = 0

  constructor(store: Store, tenants: readonly Tenant[]) {
    for (const tenant of tenants) {
      const sql = 'SELECT workspace_id FROM api_key WHERE id = ?'
      this.#workspaces.set(tenant, new Workspace(store, store.access.value<number>(sql, tenant.keptIds[0]!)!))
    }
  }

  /** The moment at which a request begins. */
  get now(): number {
    return this.#now
  }

  /** Throws if a response has a trace of a message that its reader could not see since the request began. The feed also names those that it could see once: it reports that they are gone (P7). */
  judge(tenant: Tenant, shot: Shot, { status, text }: Reply, since: number): void {
    this.#now++
    const workspace = this.#workspaces.get(tenant)!
    workspace.read(this.#now)
    const viewer = viewerOf(tenant, shot)
    const asked = `${decodeURIComponent(safely(shot.target))} ${shot.body ?? ''}`
    const judgeEach = (found: Iterable<string>, from: number) => {
      for (const each of new Set(found)) {
        if (asked.includes(each) && (status >= 400 || shot.method === 'POST')) continue
        const hidden = workspace.hides(each, viewer, from)
        if (hidden !== undefined) assert.fail(`shows ${each} of the message ${hidden}, which the caller may not see`)
      }
    }
    judgeEach(text.match(uuids) ?? [], shot.target.startsWith('/api-v1-changes') ? 0 : since)
    judgeEach(text.match(secretWords) ?? [], since)
  }
}

/** Who sends a request. Without a session or a key of the user it is nobody in particular. */
function viewerOf({ viewers }: Tenant, { headers }: Shot): Viewer {
  return (
    viewers.get(headers.Cookie ?? '') ?? viewers.get(headers.Authorization ?? '') ?? { userId: null, isAdmin: false }
  )
}
