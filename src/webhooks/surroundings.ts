import type { Resource } from '../engine/definition/resource.ts'
import type { Reader } from '../store/reader.ts'
import type { Delivery, Sent } from './attempt.ts'
import type { Outcome } from './deliveries.ts'
import type { Replay } from './state.ts'

/** What a webhook has done: to be stored together, in the order of the reports. */
export interface Report {
  workspaceId: number
  webhookId: string
  position: number
  /** The rest of the range that is delivered again; undefined: it is as before. */
  replay: Replay | undefined
  outcome: Outcome | undefined
  /** The changes that were pruned before they could be delivered. */
  pruned: { from: number; until: number } | undefined
}

/** What a sender needs of its surroundings. */
export interface Surroundings {
  resources: readonly Resource[]
  /** The types of changes that webhooks can deliver. */
  eventTypes: readonly string[]
  userAgent: string
  /** Reads a workspace, or what is above the workspaces, at one moment. */
  read<T>(workspaceId: number | undefined, run: (reader: Reader) => T): T
  /** Resolves when the report is on disk. It never rejects. */
  report(report: Report): Promise<void>
  /** Never rejects. */
  attempt(delivery: Delivery, signal: AbortSignal): Promise<Sent>
  /** Milliseconds since 1970. */
  now(): number
  /** A random number from 0 to 1. */
  random(): number
}
