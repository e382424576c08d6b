/** How often randomised tests repeat. The default is 1; KONTOR_TEST_ROUNDS=3 tries more cases. */
export const rounds = Number(process.env.KONTOR_TEST_ROUNDS ?? 1)
