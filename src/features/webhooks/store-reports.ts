import { setTimeout as delay } from 'node:timers/promises'
import { errorFields, log } from '../../lib/log.ts'
import { isPassing } from '../../store/constraint.ts'
import { moveOfWorkspaceSql } from '../../store/move-state.ts'
import type { Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import { type Report, recordReports } from './stored/record-reports.ts'
import { webhook } from './webhook.ts'

interface Waiting {
  report: Report
  done: () => void
}

/** The maximum number of reports that a transaction stores. */
const togetherMax = 100
const retryMs = 1_000

/** Stores the reports of a sender, in their order: a later position presumes what was reported before. */
export class WebhookReports {
  readonly #store: Store
  readonly #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #closing = false

  constructor(store: Store) {
    this.#store = store
  }

  /** Resolves when the report is on disk, or when it never will be. */
  add(report: Report): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ report, done })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when everything that has been reported is on disk, or never will be. */
  async drained(): Promise<void> {
    await this.#running
  }

  /** Stores what has been reported, unless the disk does not accept it. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const { workspaceId } = this.#waiting[0]!.report
      const others = this.#waiting.findIndex(({ report }) => report.workspaceId !== workspaceId)
      const count = Math.min(others === -1 ? this.#waiting.length : others, togetherMax)
      const isStored = await this.#write(workspaceId, this.#waiting.slice(0, count))
      if (!isStored && this.#closing) break
      if (isStored) for (const { done } of this.#waiting.splice(0, count)) done()
      else await delay(retryMs)
    }
    this.#running = undefined
  }

  /** Returns false if the disk does not accept writes now. */
  async #write(workspaceId: number, waiting: readonly Waiting[]): Promise<boolean> {
    try {
      await this.#store.write(workspaceId, (tx) => {
        if (tx.value(moveOfWorkspaceSql) !== undefined) return // where the company is now, it is sent again
        const byWebhook = Map.groupBy(waiting, ({ report }) => report.webhookId)
        for (const own of byWebhook.values())
          record(
            tx,
            own.map(({ report }) => report),
          )
      })
      return true
    } catch (error) {
      notStored(error)
      return !isPassing(error)
    }
  }
}

/** What cannot be stored at all does not keep the others back. */
function record(tx: Writer, reports: readonly Report[]): void {
  try {
    tx.attempt(() => recordReports(webhook, tx, reports))
  } catch (error) {
    if (isPassing(error)) throw error
    notStored(error)
  }
}

function notStored(error: unknown): void {
  log('a delivery of a webhook could not be stored', errorFields(error), 'error')
}
