import { join } from 'node:path'
import { startProgram } from './start.ts'
import type { Sandbox, StartOptions } from './types.ts'

// What `kontor/test` exports.

export { connectSandbox } from './connect.ts'
export { SandboxError } from './request.ts'
export type * from './types.ts'

/**
 * Starts an in-memory server. Its process ends when the sandbox is closed, and when this process ends, however it ends. Throws Error with
 * what the program printed if it ends or takes too long before it is ready.
 */
export function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
  return startProgram(join(import.meta.dirname, 'kontor.cjs'), options)
}
