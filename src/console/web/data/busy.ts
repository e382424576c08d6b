import { options } from 'preact'

// The attribute `data-busy` of the root element has what the page waits for: its script, requests, and what it is about to show. An idle page
// has no such attribute (docs/console.md). The stream of changes and what happens later by itself, such as the end of a note, do not count.

const root = document.documentElement
const works: string[] = []

const atFirstIdle: (() => void)[] = []

/** Runs when the page is idle for the first time. */
export function onceIdle(run: () => void): void {
  atFirstIdle.push(run)
}

/** The page is busy until the returned function is called. */
export function begin(work: string): () => void {
  works.push(work)
  show()
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    works.splice(works.indexOf(work), 1)
    if (works.length > 0) show()
    else inNextTask(show) // what follows from this work has begun by then
  }
}

/** The page is busy until a promise is settled. */
export function busyUntil<T>(work: string, settled: Promise<T>): Promise<T> {
  return settled.finally(begin(work))
}

/** The page is busy until a response has arrived, and while its body is read. */
export async function busyWith(method: string, path: string, sent: Promise<Response>): Promise<Response> {
  const work = `${method} ${path.split('?')[0]}`
  const response = await busyUntil(work, sent)
  for (const read of ['json', 'text', 'blob'] as const) {
    const whole = response[read].bind(response) as () => Promise<never>
    response[read] = () => busyUntil(work, whole())
  }
  return response
}

/** Like `setTimeout`, and the page is busy until then. Returns a function that cancels it. */
export function busyFor(ms: number, run: () => void): () => void {
  const end = begin('timer')
  const timer = setTimeout(() => last(run, end), ms)
  return () => {
    clearTimeout(timer)
    end()
  }
}

/** Runs when what has changed is shown. */
export function onceShown(run: () => void): void {
  const end = begin('frame')
  requestAnimationFrame(() => last(run, end))
}

/** The page is busy while components wait to be rendered, and while effects wait to run. */
export function countRenders(): void {
  options.debounceRendering = (render) => {
    const end = begin('render')
    queueMicrotask(() => last(render, end))
  }
  options.requestAnimationFrame = (runEffects) => {
    const end = begin('effects')
    afterNextFrame(() => last(runEffects, end))
  }
}

/** Runs what the page waits for. What follows from it has begun before it ends. */
function last(run: () => void, end: () => void): void {
  try {
    run()
  } finally {
    end()
  }
}

function show(): void {
  if (works.length > 0) {
    root.dataset.busy = works.join(', ')
    return
  }
  delete root.dataset.busy
  for (const run of atFirstIdle.splice(0)) run()
}

/** A hidden page has no frames. */
const frameMsMax = 35

/** As Preact does it. */
function afterNextFrame(run: () => void): void {
  const painted = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    setTimeout(run)
  }
  const timer = setTimeout(painted, frameMsMax)
  const frame = requestAnimationFrame(painted)
}

const tasks = new MessageChannel()
const due: (() => void)[] = []
tasks.port1.onmessage = () => due.shift()?.()

/** Unlike `setTimeout`, it is not delayed in a hidden page. */
function inNextTask(run: () => void): void {
  due.push(run)
  tasks.port2.postMessage(undefined)
}
