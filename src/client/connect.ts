import { type Control, controlOf, SandboxError, send } from './request.ts'
import type { Address, Sandbox, SandboxClock, SandboxFaults, SandboxInbox, SandboxRequests } from './types.ts'

/** A sandbox that another process started, such as a global setup or a container. */
export function connectSandbox({ url, key }: Address): Sandbox {
  return sandboxAt({ url: url.replace(/\/$/, ''), key }, async () => {})
}

/** `end` is called once, when it is closed. */
export function sandboxAt(address: Address, end: () => Promise<void>): Sandbox {
  const control = controlOf(address)
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= end()
    return closed
  }
  return {
    url: address.url,
    key: address.key,
    clock: clockOf(control),
    faults: faultsOf(control),
    inbox: inboxOf(control),
    requests: requestsOf(control),
    fetch: async (path, init) => send(address, path, init),
    reset: async (to) => dataOf(await control('POST', '/reset', { to })),
    snapshot: async (name) => dataOf(await control('PUT', `/snapshots/${encodeURIComponent(name)}`)),
    fork: async (options = {}) => {
      const { id, key } = dataOf(await control('POST', '/forks', options))
      const fork = { url: address.url, key }
      return sandboxAt(fork, () => removeFork(controlOf(fork), id)) // with its own key: this sandbox may be gone by then
    },
    export: () => control('GET', '/export'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function clockOf(control: Control): SandboxClock {
  const set: SandboxClock['set'] = async (options) => dataOf(await control('PUT', '/clock', options))
  return {
    get: async () => dataOf(await control('GET', '/clock')),
    set,
    freeze: (now) => set({ now, mode: 'frozen' }),
    advance: async (step) =>
      dataOf(await control('POST', '/clock/advance', typeof step === 'string' ? { by: step } : step)),
  }
}

function faultsOf(control: Control): SandboxFaults {
  return {
    set: async (faults) => dataOf(await control('PUT', '/faults', faults)),
    list: async () => dataOf(await control('GET', '/faults')),
    clear: async () => {
      await control('DELETE', '/faults')
    },
  }
}

function inboxOf(control: Control): SandboxInbox {
  return {
    list: async (options = {}) => dataOf(await control('GET', `/inbox${queryOf(options)}`)),
    clear: async () => dataOf(await control('DELETE', '/inbox')),
  }
}

function requestsOf(control: Control): SandboxRequests {
  return {
    list: async (match = {}) => dataOf(await control('GET', `/requests${queryOf(match)}`)),
    count: async (match) => dataOf(await control('POST', '/requests/count', { match })).count,
  }
}

/** Succeeds also for a fork that is gone: it ended by itself, or with its sandbox. */
async function removeFork(control: Control, id: string): Promise<void> {
  try {
    await control('DELETE', `/forks/${id}`)
  } catch (error) {
    if (error instanceof SandboxError && error.status !== 404 && error.status !== 401) throw error
  }
}

function dataOf({ data }: { data: unknown }) {
  // biome-ignore lint/suspicious/noExplicitAny: the types of the methods describe the data
  return data as any
}

function queryOf(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
