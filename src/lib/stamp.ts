import { timestamp } from './clock.ts'

/** A moment as part of a file name, to the second: `20261121T023440Z`. */
export function stampOf(ms: number): string {
  return `${timestamp(ms).slice(0, 19).replace(/[-:]/g, '')}Z`
}

export function msOfStamp(stamp: string): number {
  return Date.parse(stamp.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
}
