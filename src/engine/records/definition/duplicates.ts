/** What records have in common that may be the same. */
export interface DuplicateReason<F extends string = string> {
  /** The name of an item filter, of a field, or of `fields`. */
  readonly by: string
  /** The fields that are compared together; default: the item filter or field of that name. */
  readonly fields?: readonly F[]
  /** Only records with the same value of this field are compared. */
  readonly within?: F
}
