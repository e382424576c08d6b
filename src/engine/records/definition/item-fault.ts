import type { DetailCode } from '../../../errors.ts'

/** An error of an item of a body, or between items. */
export interface ItemFault {
  index: number
  field: string
  code: DetailCode
  message: string
}
