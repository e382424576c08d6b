import { startSandbox } from 'kontor/test'

/** One sandbox for all workers. */
export async function setup(project) {
  const sandbox = await startSandbox({ seed: 'demo' })
  project.provide('sandbox', { url: sandbox.url, key: sandbox.key })
  return () => sandbox.close()
}
