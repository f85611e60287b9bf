package webhooks

const hostEnv = "DROVER_WEBHOOKS_TEST_HOST"

func hostMain(string) error { return nil }
