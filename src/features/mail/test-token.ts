import { createHmac, timingSafeEqual } from 'node:crypto'
import { readCursorSecret } from '../../access/setting.ts'
import { minuteMs } from '../../lib/clock.ts'
import type { Reader } from '../../store/reader.ts'

/** The header that proves that the operator sends a message as a test: of the request, or the first of the message. */
export const testHeader = 'Kontor-Test'

const validMs = 10 * minuteMs
const headForm = new RegExp(`^${testHeader}: (\\S{1,100})\\r?\\n`, 'i')
const tokenForm = /^(\d{13})\.([0-9a-f]{64})$/

/** Text for the header, which is valid for ten minutes. Only who reads the database can make it. */
export function newTestToken(access: Reader, nowMs: number): string {
  const end = String(nowMs + validMs)
  return `${end}.${signed(access, end).toString('hex')}`
}

/** Whether a message that begins with this text is a test of the operator. */
export function isOperatorTest(access: Reader, head: string, nowMs: number): boolean {
  return isTestToken(access, headForm.exec(head)?.[1], nowMs)
}

export function isTestToken(access: Reader, token: unknown, nowMs: number): boolean {
  const [, end, digest] = tokenForm.exec(typeof token === 'string' ? token : '') ?? []
  if (end === undefined || digest === undefined) return false
  const isOwn = timingSafeEqual(Buffer.from(digest, 'hex'), signed(access, end))
  return isOwn && Number(end) > nowMs && Number(end) <= nowMs + validMs
}

function signed(access: Reader, end: string): Buffer {
  return createHmac('sha256', readCursorSecret(access)).update(`mail test ${end}`).digest()
}
