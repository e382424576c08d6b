import type { Reading } from '../engine/finding/reading.ts'

// biome-ignore lint/suspicious/noExplicitAny: each is given the question that its own route asks
export type AnyReading = Reading<any, unknown>

/** Readings by the names with which threads are asked. */
export function byName(readings: readonly AnyReading[]): ReadonlyMap<string, AnyReading> {
  return new Map(readings.map((reading) => [reading.name, reading]))
}
