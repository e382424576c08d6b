/// <reference lib="esnext.disposable" preserve="true" />

// Options and results have the names that the API has (docs/test-suites.md). A method that fails throws SandboxError with the API's error,
// or an Error if the sandbox does not respond.

/** A Date, or a timestamp such as `2026-01-05T09:00:00Z`. */
export type Moment = Date | string

/** Where a sandbox is, and its key. It is all that another process needs: `connectSandbox`. */
export interface Address {
  readonly url: string
  readonly key: string
}

export interface StartOptions {
  /** `empty` (default), `demo`, or the path of a seed file, such as one with what `export` returned. */
  seed?: string | undefined
  /** Where the clock starts; it then ticks. Default: the time of the machine; with the demo, its own day. */
  now?: Moment | undefined
  /** `svc_test_` and 32 letters and digits. Default: a random key. */
  key?: string | undefined
  /** Default: a free port. */
  port?: number | undefined
  /** Further options of `kontor sandbox`. */
  args?: readonly string[] | undefined
  /** How long the start may take, in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
}

/** A sandbox, or a fork: records, clock, faults, inbox and journal of its own behind a key of its own. Methods need no `this`. */
export interface Sandbox extends Address, AsyncDisposable {
  readonly clock: SandboxClock
  readonly faults: SandboxFaults
  readonly inbox: SandboxInbox
  readonly requests: SandboxRequests
  /** Sends a request to the API, with the key unless there is an `Authorization` header. Like the global `fetch`, resolves for every status. */
  fetch(path: string, init?: RequestOptions): Promise<Response>
  /**
   * Goes back to the start, or to `empty`, `demo` or a snapshot: records, ids, clock, faults, inbox and journal are as they were then. Throws
   * NOT_FOUND if there is no such snapshot.
   */
  reset(to?: string): Promise<SandboxState>
  /** Saves the state, in place of an earlier snapshot of this name. Throws CONFLICT if there are 20, or more than 64 MiB. */
  snapshot(name: string): Promise<Snapshot>
  /** Makes an independent copy. Throws CONFLICT if there are 200, or if they take too much memory. */
  fork(options?: ForkOptions): Promise<Sandbox>
  /** Returns the content of a seed file with all records. */
  export(): Promise<Record<string, unknown>>
  /**
   * Ends the process of a sandbox that `startSandbox` started, and deletes a fork. A connected sandbox goes on. Only the first call has an
   * effect.
   */
  close(): Promise<void>
}

export interface RequestOptions extends RequestInit {
  /** A body that is sent as JSON; the method is then POST unless another one is given. */
  json?: unknown
}

export interface SandboxState {
  to: string
  log_id: string
  /** The number of the latest change. */
  seq: number
  now: string
}

export interface Snapshot {
  name: string
  bytes: number
  /** The sandbox's time at the snapshot. */
  now: string
}

export interface ForkOptions {
  /** `current` (default), `start`, `empty`, `demo`, or the name of a snapshot. */
  from?: string | undefined
  /** What its ids follow from. Default: its own id. */
  seed?: string | undefined
  /** Where its clock starts. Default: where it was in `from`. */
  clock?: Moment | ClockOptions | undefined
  /** The fork ends after this time without a request, in seconds. Default: 900. */
  ttl_seconds?: number | undefined
  /** `plan` applies the rate limits of the company's plan. Default: `off`. */
  rate_limits?: 'off' | 'plan' | undefined
}

/** `real`: the time of the machine. `ticking`: another time, which passes. `frozen`: no time passes. */
export type ClockMode = 'real' | 'ticking' | 'frozen'

export interface ClockOptions {
  now?: Moment | undefined
  mode?: ClockMode | undefined
}

export interface ClockState {
  now: string
  mode: ClockMode
}

export interface SandboxClock {
  get(): Promise<ClockState>
  /** Forward or back. Does not wait for what becomes due. */
  set(options: ClockOptions): Promise<ClockState>
  /** Stops the clock, at its own time or another one. */
  freeze(now?: Moment): Promise<ClockState>
  /**
   * Lets time pass, by a duration such as `PT36H` or `P3D` or up to a moment, at most ten years. Resolves when everything that became due has
   * run: retries of webhooks, expiry of keys, rate windows, retention. Throws CONFLICT for an earlier moment.
   */
  advance(step: string | { by: string } | { to: Moment }): Promise<Advance>
}

export interface Advance {
  now: string
  ran: {
    deliveries: number
    expired_keys: number
    removed_jobs: number
    removed_deliveries: number
    removed_changes: number
  }
}

/** `*` in the path stands for any text. Without members: all requests. */
export interface RequestMatch {
  method?: string | undefined
  path?: string | undefined
}

export interface Fault {
  match?: RequestMatch
  /** An error without an effect (`retry_after` in seconds), a delay, a lost connection before the effect, or one after it. */
  do: { status: number; retry_after?: number } | { delay_ms: number } | { reset: true } | { reset_after_commit: true }
  /** How many requests it still applies to. Default: null, all. */
  times?: number | null
  /** The share of the requests, from 0 to 1. Default: 1. */
  probability?: number
}

/** Faults of requests. The first one that matches applies. */
export interface SandboxFaults {
  /** Replaces the faults. At most 100. */
  set(faults: readonly Fault[]): Promise<Fault[]>
  list(): Promise<Fault[]>
  clear(): Promise<void>
}

/** A delivery to a webhook with the URL `kontor:inbox`. */
export interface Delivery {
  id: string
  webhook_id: string
  type: string
  /** By the sandbox's clock. */
  at: string
  /** They verify with the webhook's secret. */
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: records have every shape
  body: any
  /** The body as text, which is signed. */
  text: string
}

/** The newest 1,000 deliveries, oldest first. */
export interface SandboxInbox {
  /** Waits up to `wait` seconds (default 0, at most 30) for `count` deliveries (default 1) of a type, and returns those that there are. */
  list(options?: {
    type?: string | undefined
    count?: number | undefined
    wait?: number | undefined
  }): Promise<Delivery[]>
  /** Removes the deliveries and returns them. */
  clear(): Promise<Delivery[]>
}

export interface RequestEntry {
  request_id: string
  at: string
  method: string
  path: string
  /** Without `?`. */
  query: string
  /** Parsed JSON, or another text; null if there is none, or if it is longer than 64 KiB. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
  body: any
  /** Null while there is no response. */
  status: number | null
  /** The fault that was applied, such as `status=503`. */
  fault: string | null
}

/** The newest 1,000 requests, oldest first, without those to the sandbox's control endpoints. */
export interface SandboxRequests {
  list(match?: RequestMatch & { status?: number | undefined }): Promise<RequestEntry[]>
  count(match?: RequestMatch & { status?: number | undefined }): Promise<number>
}
