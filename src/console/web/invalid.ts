interface InvalidOptions {
  /** The message is shown at once, not first when the field is left. */
  isUrgent?: boolean
  /** What else the input needs to show it again. */
  input?: unknown
}

/** In place of a field's value: what was typed, and why it is no value. A form with one is not sent. */
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
