import type { RunResult } from 'better-sqlite3'
import type { Randomness } from '../lib/randomness.ts'
import { changed, type NewChange, type Origin } from './change-log.ts'
import type { SqlParam, Writer } from './reader.ts'
import { type Statements, WorkspaceReader } from './statements.ts'

/** What the writers of one transaction share. */
interface WriteFrame {
  readonly nowMs: number
  readonly now: string
  readonly origin: Origin
  readonly randomness: Randomness
  /** Called when a workspace's records are about to change. */
  readonly onWorkspace: (id: number) => void
  /** Called when companies, users, keys or plans are about to change. */
  readonly onAccess: () => void
  readonly announce: (topic: string, workspaceId: number) => void
}

/** Reads and writes in one transaction. */
export class WorkspaceWriter extends WorkspaceReader implements Writer {
  readonly now: string
  readonly origin: Origin
  readonly #frame: WriteFrame

  constructor(statements: Statements, workspace: number | undefined, frame: WriteFrame) {
    super(statements, workspace, { view: frame.origin.view, cause: frame.origin.requestId })
    this.now = frame.now
    this.origin = frame.origin
    this.#frame = frame
    if (workspace !== undefined) frame.onWorkspace(workspace)
  }

  run(sql: string, ...params: SqlParam[]): number {
    return (this.ask('row', 'run', sql, params) as RunResult).changes
  }

  attempt<T>(run: () => T): T {
    return this.statements.savepoint(run)
  }

  newId(): string {
    return this.#frame.randomness.newId(this.#frame.nowMs)
  }

  randomBytes(size: number): Uint8Array {
    return this.#frame.randomness.bytes(size)
  }

  log(change: NewChange): void {
    const { nowMs, origin } = this.#frame
    this.statements.changeLog.append({ workspaceId: this.bound.workspace!, nowMs, origin }, change)
    this.announce(changed)
  }

  forget(): void {
    this.statements.forgetRemembered()
  }

  announce(topic: string): void {
    this.#frame.announce(topic, this.bound.workspace!)
  }

  as(origin: Origin): Writer {
    return new WorkspaceWriter(this.statements, this.bound.workspace, { ...this.#frame, origin })
  }

  get unrestricted(): Writer {
    return this.origin.view === undefined ? this : this.as({ ...this.origin, view: undefined })
  }

  inWorkspace(id: number): Writer {
    return new WorkspaceWriter(this.statements, id, this.#frame)
  }

  get access(): Writer {
    this.#frame.onAccess()
    return new WorkspaceWriter(this.statements, undefined, this.#frame)
  }
}
