// Verifies messages that it reads as JSON, and prints what each says.
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';

console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(({ secret, headers, body }) => {
    try {
        return JSON.stringify(new Webhook(secret).verify(body, headers));
    } catch (e) {
        return 'refused: ' + e.message;
    }
})));
