import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { processorSeconds } from './processor.ts'
import type { EndedTest, WorkerMessage, WorkerRequest } from './protocol.ts'

/** The most that an outermost test may take, and the end of a process. */
const [testMsMax, endMsMax] = [240_000, 30_000]
const here = import.meta.dirname
const compileCache = resolve(here, '../../node_modules/.cache/node')

export interface FailedTest extends EndedTest {
  /** What the process wrote during the test: the logs of its servers among it. */
  output: string
}

export interface FileResult {
  file: string
  seconds: number
  /** Of processor time, those of browsers and servers included. */
  processorSeconds: number
  tests: EndedTest[]
  failures: FailedTest[]
}

/** A process that runs test files one after the other. */
export class TestProcess {
  #child: ChildProcess
  #output = ''
  #listener: (message: WorkerMessage) => void = () => {}
  #exited: Promise<string>
  #hasFailed = false
  #files: string[] = []

  constructor(env: NodeJS.ProcessEnv) {
    const reporter = [`--test-reporter=${here}/reporter.ts`, '--test-reporter-destination=stdout']
    this.#child = spawn(process.execPath, [`--import=${here}/untracked.ts`, ...reporter, `${here}/worker.ts`], {
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
    this.#child.on('message', (message: WorkerMessage) => this.#listener(message))
    this.#exited = once(this.#child, 'exit').then(
      ([code, signal]) => (signal ? `killed by ${signal}` : `exit code ${code}`),
      (error: Error) => error.message,
    )
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Runs the tests of a file. If the process ends meanwhile, the running test has failed. */
  async run(file: string): Promise<FileResult> {
    this.#files.push(file)
    const started = performance.now()
    const before = this.#processorSeconds()
    const tests: EndedTest[] = []
    const failures: FailedTest[] = []
    let running = { name: 'The file is loaded', at: started }
    let unexplained: EndedTest[] = []
    this.#output = ''
    const explain = () => {
      for (const test of unexplained) failures.push({ ...test, output: this.#output })
      unexplained = []
      this.#output = ''
    }
    const add = (test: EndedTest) => {
      tests.push(test)
      if (!test.passed) unexplained.push(test)
    }
    const failRunning = (error: string) =>
      add({ ...running, nesting: 0, isSuite: false, passed: false, seconds: secondsSince(running.at), error })
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    this.#listener = (message) => {
      if (message.type === 'ended') return add(message)
      if (message.type === 'failed') return failRunning(message.error)
      explain()
      if (message.type === 'done') return end()
      running = { name: message.name, at: performance.now() }
      timer.refresh()
    }
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), testMsMax)
    this.#child.send({ file: resolve(file) } satisfies WorkerRequest, () => {}) // a process that has ended is noticed below
    const ended = await Promise.race([done, this.#exited])
    clearTimeout(timer)
    if (ended !== undefined) {
      failRunning(`The process ended meanwhile: ${ended}`)
      explain()
    }
    this.#hasFailed ||= failures.length > 0
    const processorSeconds = Math.max(0, this.#processorSeconds() - before)
    return { file, seconds: secondsSince(started), processorSeconds, tests, failures }
  }

  #processorSeconds(): number {
    return this.#child.pid === undefined ? 0 : processorSeconds(this.#child.pid)
  }

  /** Ends the process as soon as nothing runs in it. Returns why that failed, if it did. */
  async end(): Promise<string | undefined> {
    this.#output = ''
    if (this.#child.connected) this.#child.disconnect()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endMsMax)
    const ended = await this.#exited
    clearTimeout(timer)
    if (ended === 'exit code 0' || this.#hasFailed) return undefined
    return `after ${this.#files.join(', ')}, the process did not end: ${ended}\n${this.#output}`
  }
}

function secondsSince(ms: number): number {
  return (performance.now() - ms) / 1000
}
