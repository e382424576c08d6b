/** In place of a field's value: what was typed, and why it is no value. A form with one is not sent. */
export class Invalid {
  readonly text: string
  readonly message: string

  constructor(text: string, message: string) {
    this.text = text
    this.message = message
  }
}
