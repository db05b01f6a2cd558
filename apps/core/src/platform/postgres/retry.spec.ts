import { Retry } from './retry.ts';

const away = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

describe('work that does not depend on a request', () => {
  it('is retried until the database accepts it', async () => {
    const troubles = [away(), Object.assign(new Error('the database system is starting up'), { code: '57P03' })];
    const answer = await new Retry().retryUntilAvailable(async () => {
      const trouble = troubles.shift();
      if (trouble) throw trouble;
      return 'taken';
    });

    expect([answer, troubles]).toEqual(['taken', []]);
  });

  it('is not retried if the database rejects it', async () => {
    let attempts = 0;
    const failing = new Retry().retryUntilAvailable(async () => {
      attempts += 1;
      throw Object.assign(new Error('duplicate key'), { code: '23505' });
    });

    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });

  it('fails at once while the process stops', async () => {
    const retry = new Retry();
    const waiting = retry.retryUntilAvailable(() => Promise.reject(away()));
    retry.end();

    await expect(waiting).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(retry.retryUntilAvailable(() => Promise.reject(away()))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
