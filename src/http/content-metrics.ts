import type { Counter, Gauge, Registry } from 'prom-client'
import { type ContentFault, contentFaults } from '../content/faults.ts'

export interface ContentMeasures {
  /** How much content of erased files has not been removed yet. */
  removals(): number
  /** How often a request met content that was missing, of another length or damaged. */
  faults(fault: ContentFault): number
}

/** Registers what is measured of the content of files. */
export function contentHealth(
  prom: { Gauge: typeof Gauge; Counter: typeof Counter },
  register: Registry,
  { removals, faults }: ContentMeasures,
): void {
  new prom.Gauge({
    name: 'kontor_content_removals_waiting',
    help: 'Content of erased files that has not been removed yet',
    registers: [register],
    collect() {
      this.set(removals())
    },
  })
  new prom.Counter({
    name: 'kontor_content_faults_total',
    help: 'Requests that met content of a file that is missing, has another length or is damaged',
    labelNames: ['fault'],
    registers: [register],
    collect() {
      this.reset()
      for (const fault of contentFaults) this.inc({ fault }, faults(fault))
    },
  })
}
