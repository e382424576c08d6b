import { randomOf } from './random.ts'
import type { S3Server } from './s3-server.ts'

/**
 * Lets one request in twenty to an S3 server go wrong between `begin` and `end`. What is stored is read while it works: three faults in a row
 * are a 503.
 */
export function faultsAtTimes(s3: S3Server): { begin(): void; end(): void } {
  const random = randomOf(1)
  const fault = () => (random.below(20) === 0 ? random.pick(['reset', 'lost', 'half', 500] as const) : undefined)
  return {
    begin() {
      s3.fault = fault
    },
    end() {
      s3.fault = () => undefined
    },
  }
}
