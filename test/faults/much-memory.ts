import { isMainThread } from 'node:worker_threads'

// Preloaded into a server: it uses much memory, so it takes a while to end when it is killed.

const bytes = 200 * 2 ** 20

if (isMainThread) Object.assign(globalThis, { much: new Uint8Array(bytes).fill(1) })
