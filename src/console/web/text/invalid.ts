interface InvalidOptions {
  /** Whether the message is shown at once, not only when the field is left. */
  isUrgent?: boolean
  /** Further data that the input needs to show the value again. */
  input?: unknown
}

/** Invalid input of a field: the text and the reason. A form that has any is not sent. */
export class Invalid {
  readonly text: string
  readonly message: string
  readonly isUrgent: boolean
  readonly input: unknown

  constructor(text: string, message: string, { isUrgent = false, input }: InvalidOptions = {}) {
    this.text = text
    this.message = message
    this.isUrgent = isUrgent
    this.input = input
  }
}
