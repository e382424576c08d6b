import type { Resource } from '../../../engine/records/definition/resource.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Report } from '../stored/record-reports.ts'
import type { Delivery, Sent } from '../transport/attempt.ts'

/** What a sender is given: what it reads, and what it does with what it has sent. */
export interface SenderOptions {
  resources: readonly Resource[]
  /** The types of changes that webhooks can deliver. */
  eventTypes: readonly string[]
  userAgent: string
  /** Reads a workspace at one moment. */
  read<T>(workspaceId: number, run: (reader: Reader) => T): T
  /** Resolves when the report is on disk. It never rejects. */
  report(report: Report): Promise<void>
  /** Never rejects. */
  attempt(delivery: Delivery, signal: AbortSignal): Promise<Sent>
  /** Milliseconds since 1970. */
  now(): number
  /** A random number from 0 to 1. */
  random(): number
}
