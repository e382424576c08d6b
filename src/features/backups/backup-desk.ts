import type { BackupPlan, BackupState } from './backups.ts'

/** The backups as the event loop knows them; the worker thread makes them. */
export class BackupDesk {
  readonly plan: BackupPlan
  #state: BackupState | undefined
  #ask: (() => void) | undefined

  constructor(plan: BackupPlan) {
    this.plan = plan
  }

  /** As last reported; undefined until the worker thread has started. */
  get state(): BackupState | undefined {
    return this.#state
  }

  /** Asks for a backup. Returns false, and does nothing, if one is being made. */
  makeNow(): boolean {
    if (!this.#ask || !this.#state || this.#state.isRunning) return false
    this.#state = { ...this.#state, isRunning: true }
    this.#ask()
    return true
  }

  connect(ask: () => void): void {
    this.#ask = ask
  }

  update(state: BackupState): void {
    this.#state = state
  }
}
