import { type Clock, dayMs, hourMs, utcDay } from '../../lib/clock.ts'

/** The moment at which the demo begins: a Monday, 09:00 UTC. Everything in it happened before. */
export const demoNow = Date.UTC(2026, 9, 5, 9)

const demoDay = demoNow - 9 * hourMs

/** The working day on which the demo's company starts with Kontor, in January. Day 0 is the demo's day, −1 the Friday before it. */
export const firstDay = -195

const opens = 8
const hoursPerDay = 9

/** The moment of a time in working days. The fraction is that of the hours from 8 to 17: 4.5 is Friday, 12:30. */
export function momentOf(time: number): number {
  const day = Math.floor(time)
  return momentAt(day, opens + (time - day) * hoursPerDay)
}

/** The moment of an hour, UTC, of a working day. */
export function momentAt(day: number, hour: number): number {
  const week = Math.floor(day / 5)
  return demoDay + (week * 7 + day - week * 5) * dayMs + Math.floor(hour * hourMs)
}

/** The date of a time in working days. */
export function dateOf(time: number): string {
  return utcDay(momentOf(time))
}

const months = 'January February March April May June July August September October November December'.split(' ')

/** The name of the month of a time in working days. */
export function monthOf(time: number): string {
  return months[new Date(momentOf(time)).getUTCMonth()]!
}

/** A clock that stands still until it is moved. */
export class DemoClock implements Clock {
  #now = momentOf(firstDay)

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now
  }

  moveTo(ms: number): void {
    this.#now = ms
  }
}
