import { errorFields, log } from './log.ts'

/** Why the same work failed in several workspaces: a line of the log for each reason, not for each workspace. */
export class WorkspaceFailures {
  readonly #byReason = new Map<string, { error: unknown; workspaces: number[] }>()

  note(workspaceId: number, error: unknown): void {
    const known = this.#byReason.get(String(error))
    if (known) known.workspaces.push(workspaceId)
    else this.#byReason.set(String(error), { error, workspaces: [workspaceId] })
  }

  log(msg: string): void {
    for (const { error, workspaces } of this.#byReason.values()) {
      log(msg, { workspace: workspaces[0], workspaces: workspaces.length, ...errorFields(error) }, 'error')
    }
  }
}
