import { after } from 'node:test'

const ends: (() => unknown)[] = []

/** Calls `end` when the process has run its tests: those of one file, or of many if the runner started it. */
export function atEnd(end: () => unknown): void {
  ends.push(end)
}

async function endAll(): Promise<void> {
  for (const end of ends.reverse()) await end()
}

if (process.connected) process.once('disconnect', endAll)
else after(endAll)
