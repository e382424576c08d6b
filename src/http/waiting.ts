import type { ChangeHub } from '../changes/hub.ts'
import { Budget } from '../lib/budget.ts'
import { atEnd } from './at-end.ts'
import type { Ctx } from './exchange.ts'
import { overloaded } from './overloaded.ts'

/** How many requests of each key or session wait for changes at a time. */
const waitingPerKeyMax = 50

/** The requests that wait for changes (decision G5). They do not count as requests in progress. */
export class Waiting {
  readonly #hub: ChangeHub
  readonly #ofKeys: Budget
  readonly #ofCompanies: Budget
  /** Ends the waiting of each request. */
  readonly #ends = new Set<() => void>()
  #isClosed = false

  /** `max`: how many requests wait at a time, in total. Those of one company take half of the places, whatever keys they have. */
  constructor(hub: ChangeHub, max: number) {
    this.#hub = hub
    this.#ofKeys = new Budget({ total: max, share: waitingPerKeyMax })
    this.#ofCompanies = new Budget({ total: max, share: Math.ceil(max / 2) })
  }

  /** Resolves as `Call.waitForChange` does. */
  wait(ctx: Ctx, latest: number, ms: number): Promise<boolean> {
    if (this.#isClosed || ctx.method === 'HEAD') return Promise.resolve(false)
    ctx.state.wait ??= this.#admit(ctx)
    return ctx.state.wait(latest, ms)
  }

  /** Ends all waiting, since the server stops. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }

  /** Exchanges the request's place in progress for one among those that wait, until the response has ended. */
  #admit({ res, state }: Ctx): (latest: number, ms: number) => Promise<boolean> {
    const { keyId, companyId, workspaceId } = state.credential!
    const short = this.#ofKeys.shortage([keyId], 1) ?? this.#ofCompanies.take([companyId], 1)
    if (short) throw overloaded(short, 'requests that wait for changes')
    this.#ofKeys.takeAnyway([keyId], 1)
    state.leavePlace!()
    let isGone = false
    let end = () => {}
    atEnd(res, () => {
      isGone = true
      this.#ofKeys.release([keyId], 1)
      this.#ofCompanies.release([companyId], 1)
      end()
    })
    return (latest, ms) =>
      new Promise((resolve) => {
        const begunMs = performance.now()
        const settle = (isWoken: boolean) => {
          state.beginMs += performance.now() - begunMs // the wait is not part of the request's duration
          leave()
          clearTimeout(timer)
          this.#ends.delete(end)
          resolve(isWoken)
        }
        end = () => settle(false)
        const timer = setTimeout(end, ms)
        const leave = this.#hub.watch({ workspaceId, latest, wake: () => settle(true) })
        this.#ends.add(end)
        if (isGone || this.#isClosed) end()
      })
  }
}
