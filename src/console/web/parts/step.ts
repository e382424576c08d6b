/** The option that an arrow key leads to; -1 if there is none. */
export function stepFrom(active: number, by: number, count: number): number {
  return count === 0 ? -1 : (active + by + count) % count
}
