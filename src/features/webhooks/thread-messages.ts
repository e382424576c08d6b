import type { AllowedDestination } from '../../lib/setting-kinds.ts'
import type { Report } from './stored/record-reports.ts'

/** The input of the thread. */
export interface WebhookInput {
  /** The path of the database. */
  path: string
  allowed: readonly AllowedDestination[]
  /** A name server instead of those of the machine. */
  dns?: string | undefined
  userAgent: string
}

/** A message to the thread. */
export type WebhookOrder = { changed: number; newest: number } | { load: number } | { stored: number } | 'stop'

/** A message from the thread: reports in their order, numbered together. */
export interface WebhookReportBatch {
  id: number
  reports: Report[]
}
