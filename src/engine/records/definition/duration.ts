/** The time from one timestamp of a record to another one. `T` are the names of its fields. */
export interface Duration<T extends string = string> {
  readonly from: T
  readonly to: T
}
