/** One step of a test: what was done, what came of it, and, if it failed, what to do. */
interface Step {
  readonly door: 'address' | 'smtp' | 'http'
  readonly step: string
  readonly ok: boolean
  readonly result: string
  /** Whether there was nothing to test. */
  readonly skipped?: true
  readonly advice?: string
}

/** The steps of a test, which ends at a door's first failure. */
export class Steps {
  readonly done: Step[] = []
  readonly #show: (step: Step) => void

  constructor(show: (step: Step) => void) {
    this.#show = show
  }

  get ok(): boolean {
    return this.done.every((step) => step.ok)
  }

  /** Runs a step. Returns what it returns, or undefined if it fails. `say` makes its result of that. */
  async run<T>(
    { door, step, advice }: { door: Step['door']; step: string; advice: string },
    run: () => T | Promise<T>,
    say: (value: T) => string,
  ): Promise<T | undefined> {
    try {
      const value = await run()
      this.#add({ door, step, ok: true, result: say(value) })
      return value
    } catch (error) {
      this.#add({ door, step, ok: false, result: (error as Error).message, advice })
      return undefined
    }
  }

  /** Something to know that is no failure. */
  note(door: Step['door'], step: string, result: string): void {
    this.#add({ door, step, ok: true, result })
  }

  /** What is not tested, and why. It is no failure. */
  skip(door: Step['door'], step: string, result: string): void {
    this.#add({ door, step, ok: true, skipped: true, result })
  }

  #add(step: Step): void {
    this.done.push(step)
    this.#show(step)
  }
}

/** A step as one line, or two with what to do. */
export function lineOf({ door, step, ok, skipped, result, advice }: Step): string {
  const line = `${skipped ? 'none  ' : ok ? 'ok    ' : 'FAILED'}  ${door.padEnd(7)}  ${step}: ${result}`
  return advice === undefined ? line : `${line}\n                 ${advice}`
}
