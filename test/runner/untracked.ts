import asyncHooks, { type AsyncHook } from 'node:async_hooks'

// Loaded before node:test, which follows every promise to learn which test an uncaught error belongs to. That takes a fifth of the processor
// time of tests that use no browser. The worker knows whose tests run.

const none: AsyncHook = { enable: () => none, disable: () => none }
const { createHook } = asyncHooks
Object.assign(asyncHooks, { createHook: () => none })
await import('node:test')
Object.assign(asyncHooks, { createHook })
