import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuSeconds, residentMiB } from '../processes.ts'
import { type Child, spawnChild, stopChild } from './children.ts'
import { Connections } from './connections.ts'
import type { Program } from './program.ts'

const lookMs = 4
/** How long a server may stay busy after requests, such as with its search index. */
const busyMsMax = 30_000
/** How long a server that does not respond any more may take to end. */
const endMsMax = 1_000

/** It runs, waits for a processor, or waits for the disk. */
const busyThread = /\) [RD] /

/** Linux counts the processor time of threads in nanoseconds, unless it was built without. */
const isExact = existsSync('/proc/self/schedstat')

/** What requests have to know of a company. */
export interface Company {
  key: string
  organizationIds: string[]
}

export interface Options {
  /** As for taskset. */
  cores: string
  env?: NodeJS.ProcessEnv
}

/** A server of a program. */
export class Server {
  readonly company: Company
  readonly url: string
  /** How long it took from exec until the server listened. */
  readonly startMs: number
  readonly startProcessorMs: number
  readonly connections: Connections
  /** The number of the next request. Those of the records that exist are smaller. */
  requests = 100_000
  /** The number of the next import. */
  jobs = 100
  readonly #child: Child

  private constructor(child: Child, company: Company, url: string, startMs: number) {
    this.#child = child
    this.company = company
    this.url = url
    this.startMs = startMs
    this.startProcessorMs = this.processorMs()
    this.connections = new Connections(url)
  }

  static async start(program: Program, data: string, company: Company, { cores, env }: Options): Promise<Server> {
    const begin = performance.now()
    const child = spawnChild(
      `The server of ${program.name}`,
      ['taskset', '-c', cores, ...program.command, 'serve', '--data', data, '--port', '0'],
      { env: { KONTOR_RATE_LIMITS: 'off', ...env } },
    )
    const url = await Promise.race([listening(child), child.ended.then((why) => Promise.reject(new Error(why)))])
    return new Server(child, company, url, performance.now() - begin)
  }

  /** Why the server has ended, with the end of its output; undefined if it runs. */
  async failure(): Promise<string | undefined> {
    return (await Promise.race([this.#child.ended, delay(endMsMax)])) ?? undefined
  }

  /** Waits until the server has done what requests have left to it: until it was idle so many times, one after the other. */
  async calm(looks = 2): Promise<void> {
    const deadline = performance.now() + busyMsMax
    for (let idle = 0; idle < looks && performance.now() < deadline; ) {
      await delay(lookMs)
      idle = this.#readThreads('stat').some((stat) => busyThread.test(stat)) ? 0 : idle + 1
    }
  }

  /** The processor time of the threads that run. */
  processorMs(): number {
    if (!isExact) return this.processorMsOfAll()
    return this.#readThreads('schedstat').reduce((sum, stat) => sum + Number.parseInt(stat, 10) / 1e6, 0)
  }

  /** The processor time, with that of threads that have ended, in steps of 10 ms. */
  processorMsOfAll(): number {
    return cpuSeconds(this.#child.process) * 1_000
  }

  residentMiB(): number {
    return residentMiB(this.#child.process)
  }

  async stop(): Promise<void> {
    this.connections.close()
    await stopChild(this.#child)
  }

  /** What Linux says about each thread. */
  #readThreads(file: string): string[] {
    const threads = `/proc/${this.#child.process.pid}/task`
    return readdirSync(threads).flatMap((id) => {
      try {
        return readFileSync(`${threads}/${id}/${file}`, 'utf8')
      } catch {
        return [] // it has just ended
      }
    })
  }
}

/** Resolves with the URL that the log names. */
async function listening({ process: { stdout } }: Child): Promise<string> {
  const lines = createInterface({ input: stdout! })
  const url = await new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const { url } = line.startsWith('{') ? JSON.parse(line) : {}
      if (url) resolve(url)
    })
  })
  lines.close()
  stdout!.resume()
  return url
}
