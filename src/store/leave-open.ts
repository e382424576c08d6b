const left: unknown[] = []

/**
 * Leaves a connection open until the system closes it: whoever closes the last one moves the commits of the write-ahead log into the database,
 * as the garbage collector and the end of the process would.
 */
export function leaveOpen(connection: unknown): void {
  if (left.push(connection) > 1) return
  process.once('exit', (code) => {
    // Without the cleanup of the process. The condition keeps the connections: a minifier removes what does nothing.
    if (left.length > 0) process.exit(code)
  })
}
