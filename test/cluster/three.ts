import { type TestContext, test } from 'node:test'
import { leaderOf, type Node, startNode, startThree } from './cluster.ts'
import { type FakeEtcd, startFakeEtcd } from './fake-etcd.ts'

type Nodes = [Node, Node, Node]

/** Runs tests that share three servers, whatever they do to them: to start three for each takes seconds of a processor. */
export function testThree(what: string, tests: Record<string, (three: Three, t: TestContext) => Promise<void>>): void {
  test(what, async (t) => {
    const three = await Three.start(t)
    for (const [name, run] of Object.entries(tests)) await t.test(name, (each) => run(three, each))
  })
}

export class Three {
  readonly etcd: FakeEtcd
  readonly #t: Pick<TestContext, 'after'>
  #nodes: Node[]

  private constructor(t: Pick<TestContext, 'after'>, etcd: FakeEtcd, nodes: Node[]) {
    this.#t = t
    this.etcd = etcd
    this.#nodes = nodes
  }

  static async start(t: Pick<TestContext, 'after'>): Promise<Three> {
    const etcd = await startFakeEtcd(t)
    return new Three(t, etcd, await startThree(t, etcd.url))
  }

  /** The three without a fault, the leader first. One that has ended is started again. */
  async whole(): Promise<Nodes> {
    this.etcd.fault = () => undefined
    for (const { child } of this.#nodes) child.kill('SIGCONT')
    await Promise.all(this.#nodes.filter(hasEnded).map((node) => this.restart(node)))
    const leader = await leaderOf(this.#nodes)
    return [leader, ...this.#nodes.filter((node) => node !== leader)] as Nodes
  }

  /** Starts a server that ends again, with its directory and another address. */
  async restart(node: Node): Promise<Node> {
    const back = await startNode(this.#t, this.etcd.url, { directory: node.directory })
    this.#nodes[this.#nodes.indexOf(node)] = back
    return back
  }
}

function hasEnded({ child }: Node): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
