module example.com/leads

go 1.19
