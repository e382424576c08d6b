/** A further endpoint of one record: a patch with a path of its own. */
export interface Action<F extends string = string> {
  /** The last part of the endpoint's path, after that of the record: `complete`. */
  readonly path: string
  /** The field that its body must have; default: it takes no body. */
  readonly takes?: F
  /** The operation's name in generated clients. */
  readonly id: string
  readonly summary: string
  /** Values of the example response that differ from the example record. */
  readonly shows: Readonly<Partial<Record<F, unknown>>>
  /** Converts the body to the fields to patch. Throws ApiError. */
  readonly patch: (body: Record<string, unknown>) => Partial<Record<F, unknown>>
}
