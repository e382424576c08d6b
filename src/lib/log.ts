/** Writes one JSON line to standard output. */
export function log(msg: string, fields: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ msg, time: new Date().toISOString(), ...fields })}\n`)
}

/** An error as log fields, with its stack and the errors behind it. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  return { error: error.stack, ...(error.cause !== undefined && { cause: errorFields(error.cause) }) }
}
